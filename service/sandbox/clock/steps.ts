import * as z from "zod";
import type { TimeSpan } from "#contract/sandbox.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { Database } from "../../db/database.ts";
import type { TimedChange } from "../../subscriptions/timed-changes.ts";
import { findTransition } from "../../subscriptions/transitions.ts";
import { selectBuyerNames } from "./store.ts";

export const STEPS_SHOWN = 1_000;
const MOMENTS_SHOWN = 1_000;

const wholeNumber = z
  .string()
  .regex(/^(?=.*[1-9])[0-9]{1,6}$/)
  .transform(Number);

/** The requested page of steps; unreadable values mean the first thousand. */
export const StepPage = z.object({
  page: wholeNumber.catch(1),
  page_size: wholeNumber.transform((size) => Math.min(size, STEPS_SHOWN)).catch(STEPS_SHOWN),
});

/** Totals over all steps, and one page of them with the buyers' names. */
export async function describeSpan(
  database: Database,
  sellerId: number,
  { from, to, steps }: { from: Date; to: Date; steps: ForecastStep[] },
  { page, page_size } = StepPage.parse({}),
): Promise<TimeSpan> {
  const shown = steps.slice((page - 1) * page_size, page * page_size);
  const ids = [...new Set(shown.map(({ subscription_id }) => subscription_id))];
  const names = await selectBuyerNames(database, sellerId, ids);
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    count: steps.length,
    reasons: tally(
      "reason",
      steps.map(({ reason }) => reason),
    ),
    events: tally(
      "event",
      steps.flatMap(({ events }) => events),
    ),
    moments: tally(
      "at",
      steps.map(({ at }) => at.toISOString()),
    ).slice(0, MOMENTS_SHOWN),
    steps: shown.map(({ from: old_status, to: new_status, ...step }) => ({
      ...step,
      at: step.at.toISOString(),
      full_name: names.get(step.subscription_id) ?? "",
      old_status,
      new_status,
      events: [...step.events],
    })),
  };
}

const tally = <Name extends string>(name: Name, values: string[]) =>
  [...Map.groupBy(values, (value) => value)].map(
    ([value, { length: count }]) =>
      ({ [name]: value, count }) as Record<Name, string> & { count: number },
  );

export interface ForecastStep extends Omit<TimedChange, "trigger"> {
  subscription_id: string;
  reason: string;
}

export const timeStep = (
  subscription_id: string,
  { trigger, ...step }: TimedChange,
): ForecastStep => ({ ...step, subscription_id, reason: trigger });

interface Failed {
  at: Date;
  subscription_id: string;
  is_one_time: boolean;
  /**
   * The status of the subscription; pending checkout by default, the only one in which a checkout
   * is abandoned.
   */
  status?: SubscriptionStatus;
}

/** The step of a failed payment; none if the status has no such transition. */
export function failureStep(
  { at, subscription_id, is_one_time, status = "pending_checkout" }: Failed,
  reason: string,
): ForecastStep[] {
  const move = findTransition(status, "payment_failed", { isOneTime: is_one_time });
  if (move.outcome !== "changed") return [];
  return [{ at, subscription_id, from: status, to: move.to, reason, events: move.events }];
}
