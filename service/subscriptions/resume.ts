import type { Message } from "#contract/subscriptions.ts";
import {
  alreadyActiveError,
  detailError,
  notFoundError,
  type ApiError,
} from "../http/errors.ts";
import type { WriteContext } from "../http/write.ts";
import { hasActiveDuplicate, lockCurrentSubscription } from "./catch-up.ts";
import { changeStatus } from "./change-status.ts";

/** Undoes a scheduled cancellation, if the period has not ended at the time of the request. */
export async function resumeSubscription(
  { database, seller, clock }: WriteContext,
  subscriptionId: string,
): Promise<Message | ApiError> {
  const now = clock();
  const found = await lockCurrentSubscription(database, seller, subscriptionId, now);
  if (!found) throw notFoundError();
  if (
    found.status === "pending_cancellation" &&
    (await hasActiveDuplicate(database, seller, found, now))
  )
    return alreadyActiveError();
  const { outcome } = await changeStatus(database, found, { trigger: "resume", now });
  if (outcome === "refused")
    return found.is_one_time
      ? detailError(400, "A one-time purchase cannot be resumed.")
      : detailError(
          400,
          "There is no scheduled cancellation to undo. Create a new subscription instead.",
        );
  return {
    message:
      outcome === "changed"
        ? "The subscription is active again."
        : "The subscription is active; there was nothing to undo.",
  };
}
