import { AsyncLocalStorage } from "node:async_hooks";

interface CurrentRequest {
  id: string;
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
