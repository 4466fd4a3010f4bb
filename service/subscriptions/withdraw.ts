import type { Message } from "#contract/subscriptions.ts";
import { queryRow, type Database } from "../db/database.ts";
import { detailError, notFoundError, type ApiError } from "../http/errors.ts";
import type { WriteContext } from "../http/write.ts";
import { lockCurrentSubscription } from "./catch-up.ts";
import { changeStatus } from "./change-status.ts";
import type { LockedSubscription } from "./store.ts";

/**
 * Cancels at once a subscription that nobody has paid here; one that is cancelled stays so.
 * @throws ApiError 404 for an unknown or foreign id
 */
export async function withdrawSubscription(
  { database, seller, clock }: WriteContext,
  subscriptionId: string,
): Promise<Message | ApiError> {
  const now = clock();
  const found = await lockCurrentSubscription(database, seller, subscriptionId, now);
  if (!found) throw notFoundError();
  const money = await selectMoney(database, found);
  if (money?.is_paid)
    return detailError(409, "This subscription was paid, so it can only be cancelled.");
  if (money?.is_being_paid)
    return detailError(
      409,
      "A payment for this subscription is under way. Try again once it has ended.",
    );
  const { outcome } = await changeStatus(database, found, { trigger: "withdrawn", now });
  if (outcome === "refused")
    return detailError(409, `A subscription that is ${found.status} cannot be withdrawn.`);
  return { message: "The subscription is withdrawn." };
}

/**
 * `is_being_paid`: a provider still owes an answer, money that was not owed is still to go back, or a
 * recorded payment waits for approval.
 */
const selectMoney = (database: Database, { seller_id, subscription_id }: LockedSubscription) =>
  queryRow<{ is_paid: boolean; is_being_paid: boolean }>(
    database,
    `select
       exists (select from payment where seller_id = $1 and subscription_id = $2) as is_paid,
       exists (select from checkout_attempt where seller_id = $1 and subscription_id = $2
         and state in ('pending', 'returning'))
       or exists (select from recorded_payment where seller_id = $1 and subscription_id = $2
         and state = 'waiting') as is_being_paid`,
    [seller_id, subscription_id],
  );
