import { AsyncLocalStorage } from "node:async_hooks";

interface CurrentRequest {
  id: string;
  isDatabaseAway?: boolean;
}

// On globalThis, because the listening process and the server bundle each load this file.
const shared = globalThis as typeof globalThis & {
  duebookRequests?: AsyncLocalStorage<CurrentRequest>;
};
const requests = (shared.duebookRequests ??= new AsyncLocalStorage<CurrentRequest>());

/** Runs a request's handler, and all that it starts, under the request's id. */
export const withRequest = <Value>(id: string, answer: () => Value): Value =>
  requests.run({ id }, answer);

/** The current request's id; null in workers, commands and the development server. */
export const currentRequestId = (): string | null => requests.getStore()?.id ?? null;

/** Notes that this request failed because the database was away. */
export function noteDatabaseAway(): void {
  const request = requests.getStore();
  if (request) request.isDatabaseAway = true;
}

export const wasDatabaseAway = (): boolean => requests.getStore()?.isDatabaseAway ?? false;
