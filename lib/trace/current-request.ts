import { AsyncLocalStorage } from "node:async_hooks";

interface CurrentRequest {
  id: string;
  isDatabaseAway?: boolean;
}

// On globalThis: the process that listens and the bundle that answers each load this file.
const shared = globalThis as typeof globalThis & {
  duebookRequests?: AsyncLocalStorage<CurrentRequest>;
};
const requests = (shared.duebookRequests ??= new AsyncLocalStorage<CurrentRequest>());

/** Runs what answers a request, and all that it begins, under the request's id. */
export const withRequest = <Value>(id: string, answer: () => Value): Value =>
  requests.run({ id }, answer);

/** Of the request that is being answered; null in workers, commands and the development server. */
export const currentRequestId = (): string | null => requests.getStore()?.id ?? null;

/** That what answers this request failed for want of the database. */
export function noteDatabaseAway(): void {
  const request = requests.getStore();
  if (request) request.isDatabaseAway = true;
}

export const wasDatabaseAway = (): boolean => requests.getStore()?.isDatabaseAway ?? false;
