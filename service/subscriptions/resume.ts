import type { Message } from "#contract/subscriptions.ts";
import { alreadyActive, detail, notFound, type ApiError } from "../http/errors.ts";
import type { WriteContext } from "../http/write.ts";
import { hasActiveDuplicate, lockCurrent } from "./catch-up.ts";
import { changeStatus } from "./change-status.ts";

/** Undoes a scheduled cancellation, if the period has not ended at the time of the request. */
export async function resumeSubscription(
  { database, seller, clock }: WriteContext,
  subscriptionId: string,
): Promise<Message | ApiError> {
  const now = clock();
  const found = await lockCurrent(database, seller, subscriptionId, now);
  if (!found) throw notFound();
  if (
    found.status === "pending_cancellation" &&
    (await hasActiveDuplicate(database, seller, found, now))
  )
    return alreadyActive();
  const { outcome } = await changeStatus(database, found, { trigger: "resume", now });
  if (outcome === "refused")
    return found.is_one_time
      ? detail(400, "A one-time purchase cannot be resumed.")
      : detail(
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
