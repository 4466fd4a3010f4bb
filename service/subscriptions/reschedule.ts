import type { Message, RescheduleSubscription } from "#contract/subscriptions.ts";
import { ApiError } from "../http/errors.ts";
import type { WriteContext } from "../http/write.ts";
import { hasActiveDuplicate, lockCurrentSubscription } from "./catch-up.ts";
import { changeStatus } from "./change-status.ts";
import { localDate } from "#contract/process/local-day.ts";
import { billingMoment } from "./periods.ts";

export async function rescheduleSubscription(
  { database, seller, clock }: WriteContext,
  { subscription_id, next_billing_cycle }: RescheduleSubscription,
): Promise<Message | ApiError> {
  const now = clock();
  const date = Temporal.PlainDate.from(next_billing_cycle);
  if (Temporal.PlainDate.compare(date, localDate(now, seller.time_zone)) < 0)
    throw new ApiError(400, { next_billing_cycle: ["Choose today or a later date."] });
  const found = await lockCurrentSubscription(database, seller, subscription_id, now);
  if (!found) throw refusal("There is no such subscription.");
  if (found.status === "due" && (await hasActiveDuplicate(database, seller, found, now)))
    return refusal("This buyer has another active subscription for this billing period.");
  const { outcome } = await changeStatus(database, found, {
    trigger: "reschedule",
    now,
    dates: {
      current_period_start: found.current_period_start,
      next_billing_cycle: billingMoment(date, seller.time_zone),
      anchor_day: date.day,
      schedule: found.schedule + 1,
    },
  });
  if (outcome === "refused")
    return refusal(
      found.is_one_time
        ? "A one-time purchase has no billing date."
        : `A subscription that is ${found.status} cannot be rescheduled.`,
    );
  return { message: `The next billing date is ${next_billing_cycle}.` };
}

// Spec, Errors: this error is one string, not a list.
const refusal = (text: string) => new ApiError(400, { subscription_id: text });
