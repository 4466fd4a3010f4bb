import { readRetryAfter } from "../outgoing/gateway.ts";
import type { DueDelivery } from "./claim-store.ts";
import type { EndpointAnswer } from "./post.ts";
import type { AttemptOutcome } from "./record-store.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Spec choice, retries: the delay after each failure; after the last one the delivery has failed.
 */
export const RETRY_DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
const JITTER = 0.2;
/** How long all attempts to an endpoint may fail before it is switched off. */
export const FAILING_LIMIT = 5 * 24 * HOUR;

/**
 * @param tries attempts in this schedule, including the failed one
 * @param random between 0 and 1: spreads the retries of an endpoint that failed all at once
 * @returns milliseconds, or null if no attempts are left
 */
export function retryDelay(tries: number, random: number): number | null {
  const delay = RETRY_DELAYS[tries - 1];
  return delay === undefined ? null : Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}

type Step = Pick<AttemptOutcome, "state" | "tries" | "next_at"> & {
  /** The time until which the endpoint has asked for a pause. */
  pausedUntil: Date | null;
};

const GONE = 410;
const ASKS_FOR_PAUSE = [429, 503];

/** Spec choice, retries: what follows an attempt. @param random between 0 and 1, for the jitter */
export function stepAfterAttempt(
  delivery: Pick<DueDelivery, "tries">,
  answer: Pick<EndpointAnswer, "code" | "error" | "retry_after">,
  now: Date,
  random: number,
): Step {
  const tries = delivery.tries + 1;
  if (answer.error === null)
    return { state: "delivered", tries, next_at: null, pausedUntil: null };
  const pause = ASKS_FOR_PAUSE.includes(answer.code ?? 0)
    ? readRetryAfter(answer.retry_after, now)
    : null;
  const pausedUntil = pause === null ? null : after(now, pause);
  const delay = answer.code === GONE ? null : retryDelay(tries, random);
  if (delay === null) return { state: "failed", tries, next_at: null, pausedUntil };
  return {
    state: "pending",
    tries,
    next_at: after(now, Math.max(delay, pause ?? 0)),
    pausedUntil,
  };
}

const after = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds);
