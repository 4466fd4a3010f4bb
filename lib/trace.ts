import type pg from "pg";
import { AsyncLocalStorage } from "node:async_hooks";

/** Receives counts in the process that serves `/metrics`; unset elsewhere. */
interface Observer {
  apiCall: (call: {
    method: string;
    endpoint: string;
    outcome: string;
    seconds: number;
  }) => void;
  received: (verdict: string) => void;
}

export interface IndexAge {
  state: "filling" | "ready" | "troubled";
  indexes: number;
  /** Seconds since the oldest index was up to date. */
  age: number;
}

/** Values that are read when metrics are requested. */
export interface Gauges {
  pool: () => Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount">;
  streams: () => number;
  indexAges: () => Promise<IndexAge[]>;
}

interface CurrentRequest {
  id: string;
  isDatabaseAway?: boolean;
  sendOpening?: (language: string) => void;
}

// On globalThis, because the listening process and the server bundle each load this file.
const shared = globalThis as typeof globalThis & {
  duebookObserver?: Observer;
  duebookGauges?: Gauges;
  duebookRequests?: AsyncLocalStorage<CurrentRequest>;
};
const requests = (shared.duebookRequests ??= new AsyncLocalStorage());

export const getObserver = (): Observer | null => shared.duebookObserver ?? null;
export const setObserver = (one: Observer): void => void (shared.duebookObserver = one);
export const getGauges = (): Gauges | null => shared.duebookGauges ?? null;
export const setGauges = (all: Gauges): void => void (shared.duebookGauges = all);

const WORDS = new Set(
  `api account v1 products subscriptions customers webhooks cancel resume update-billing-cycle sandbox clock
   forecast preview next advance reset states restore delete scenarios pay deliveries resend recover
   example rotate-secret notices accounts profile verification documents remove submit keys roll revoke images
   subscribers shared-links moves undo payments withdraw corrections recorded-payments photo approve decline
   reverse refunds buyer-requests answer payment-tasks decide confirm refuse retry by-hand balances statements
   pdf changes subscription-changes bills settings send payment-accounts order check compare statement channels
   test messages reminders schedule planned results holds languages opt-outs find`.split(/\s+/),
);

/** A path of the billing API without ids, which open checkouts. */
export const pathWithoutIds = (path: string): string =>
  path
    .split("/")
    .map((part) => (WORDS.has(part) ? part : "{id}"))
    .join("/");

/** Runs a request's handler under the request's id. */
export const withRequest = <Value>(id: string, answer: () => Value): Value =>
  requests.run({ id }, answer);

/** The current request's id; null in workers, commands and the development server. */
export const currentRequestId = (): string | null => requests.getStore()?.id ?? null;

/** Remembers that this request failed because the database was unavailable. */
export function noteDatabaseAway(): void {
  const request = requests.getStore();
  if (request) request.isDatabaseAway = true;
}

export const wasDatabaseAway = (): boolean => requests.getStore()?.isDatabaseAway ?? false;

/** @param send sends the start of the current request's page before the page is rendered */
export function setOpeningSender(send: (language: string) => void): void {
  const request = requests.getStore();
  if (request) request.sendOpening = send;
}

/** Sends the start of the current request's page, after which its status can no longer change. */
export const sendOpening = (language: string): void =>
  requests.getStore()?.sendOpening?.(language);
