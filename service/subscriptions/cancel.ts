import type { Message } from "#contract/subscriptions.ts";
import { detailError, notFoundError, type ApiError } from "../http/errors.ts";
import type { WriteContext } from "../http/write.ts";
import { lockCurrentSubscription } from "./catch-up.ts";
import { changeStatus } from "./change-status.ts";

/** Spec, Other rules 3: schedules the cancellation for the end of the period. */
export async function cancelSubscription(
  { database, seller, clock }: WriteContext,
  subscriptionId: string,
): Promise<Message | ApiError> {
  const now = clock();
  const found = await lockCurrentSubscription(database, seller, subscriptionId, now);
  if (!found) throw notFoundError();
  const { outcome, subscription } = await changeStatus(database, found, {
    trigger: "cancel",
    now,
  });
  if (outcome === "refused")
    return subscription.is_one_time
      ? detailError(400, "A one-time purchase cannot be cancelled.")
      : detailError(400, `A subscription that is ${subscription.status} cannot be cancelled.`);
  return {
    message:
      outcome === "changed"
        ? "The subscription is cancelled from the end of its current billing period on."
        : "The cancellation was scheduled already.",
  };
}
