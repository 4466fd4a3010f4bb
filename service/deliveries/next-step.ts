import type { Due } from "./claim-store.ts";
import type { EndpointAnswer } from "./post.ts";
import type { Outcome } from "./record-store.ts";
import { readRetryAfter, retryDelay } from "./schedule.ts";

type Step = Pick<Outcome, "state" | "tries" | "next_at"> & {
  /** Until when the endpoint has asked for a pause. */
  restsUntil: Date | null;
};

const GONE = 410;
const ASKS_FOR_REST = [429, 503];

/**
 * Spec choice, retries.
 * @param random between 0 and 1, for the jitter
 */
export function nextStep(
  delivery: Pick<Due, "tries">,
  answer: Pick<EndpointAnswer, "code" | "error" | "retry_after">,
  now: Date,
  random: number,
): Step {
  const tries = delivery.tries + 1;
  if (answer.error === null)
    return { state: "delivered", tries, next_at: null, restsUntil: null };
  const rest = ASKS_FOR_REST.includes(answer.code ?? 0)
    ? readRetryAfter(answer.retry_after, now)
    : null;
  const restsUntil = rest === null ? null : after(now, rest);
  const delay = answer.code === GONE ? null : retryDelay(tries, random);
  if (delay === null) return { state: "failed", tries, next_at: null, restsUntil };
  return {
    state: "pending",
    tries,
    next_at: after(now, Math.max(delay, rest ?? 0)),
    restsUntil,
  };
}

const after = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds);
