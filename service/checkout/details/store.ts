import type { DetailChange } from "#contract/customers.ts";
import { queryRow, queryRows, queryValue, type Database } from "../../db/database.ts";
import { sellerAt } from "../../sellers/store.ts";
import type { SubscriptionRow } from "../../subscriptions/store.ts";
import type { SentCode } from "../codes.ts";

/** A buyer's request to correct their details, confirmed by its code. */
interface Correction extends SentCode {
  seller_id: number;
  correction_id: string;
}

const COLUMNS =
  "seller_id, correction_id, code_hash, wrong_codes, state, created_at, expires_at";

/** Matches the subscription too: the id of a request opens nothing of another buyer. */
export const selectCorrection = (database: Database, subscriptionId: string, id: string) =>
  queryRow<Correction>(
    database,
    `select ${COLUMNS} from detail_correction
     where seller_id = ${sellerAt("$1")} and subscription_id = $1 and correction_id = $2`,
    [subscriptionId, id],
  );

export const insertCorrection = (
  database: Database,
  { seller_id, subscription_id }: SubscriptionRow,
  correction: Omit<Correction, "seller_id" | "state" | "wrong_codes">,
) =>
  database.query(
    `insert into detail_correction
       (correction_id, seller_id, subscription_id, code_hash, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      correction.correction_id,
      seller_id,
      subscription_id,
      correction.code_hash,
      correction.created_at,
      correction.expires_at,
    ],
  );

export const countWrongCode = (
  database: Database,
  { seller_id, correction_id }: Correction,
  { wrong_codes, state }: Pick<Correction, "wrong_codes" | "state">,
) =>
  database.query(
    `update detail_correction set wrong_codes = $3, state = $4
     where seller_id = $1 and correction_id = $2`,
    [seller_id, correction_id, wrong_codes, state],
  );

/** Whether the code went by mail, so that it proves the mail address. */
export const wasSentByMail = async (
  database: Database,
  { seller_id }: Pick<SubscriptionRow, "seller_id">,
  { correction_id }: Pick<Correction, "correction_id">,
): Promise<boolean> =>
  (await queryValue<boolean>(
    database,
    `select c.channel = 'email' from message m join message_channel c using (seller_id, channel_id)
     where m.seller_id = $1 and m.cause = $2`,
    [seller_id, causeOf(correction_id)],
  )) ?? false;

/** The cause of the message with the code. */
export const causeOf = (correctionId: string) => `details:${correctionId}`;

/** Locks the buyer before the subscription, in the order in which creating one does. */
export const lockBuyerOf = (database: Database, subscriptionId: string) =>
  database.query(
    `select 1 from customer c where c.seller_id = ${sellerAt("$1")} and c.id = (
       select customer_id from subscription
       where seller_id = ${sellerAt("$1")} and subscription_id = $1)
     for no key update`,
    [subscriptionId],
  );

/**
 * Writes the corrections to the subscription and to the buyer's profile, which keeps the latest
 * values; the buyer's other subscriptions keep theirs, as when one is created.
 */
export async function writeCorrection(
  database: Database,
  { seller_id, subscription_id, customer_id }: SubscriptionRow,
  { correction_id }: Correction,
  { changes, at }: { changes: DetailChange[]; at: Date },
): Promise<void> {
  const after = (field: DetailChange["field"]) =>
    changes.find((change) => change.field === field)?.after ?? null;
  const values = [after("full_name"), after("email"), after("address")];
  await database.query(
    `update subscription set full_name = coalesce($3, full_name), email = coalesce($4, email),
       address = coalesce($5, address)
     where seller_id = $1 and subscription_id = $2`,
    [seller_id, subscription_id, ...values],
  );
  await database.query(
    `update customer set full_name = coalesce($3, full_name),
       buyer_email = coalesce($4, buyer_email), address = coalesce($5, address)
     where seller_id = $1 and id = $2`,
    [seller_id, customer_id, ...values],
  );
  await database.query(
    `update detail_correction set state = 'done', corrected_at = $3, changes = $4
     where seller_id = $1 and correction_id = $2`,
    [seller_id, correction_id, at, JSON.stringify(changes)],
  );
}

/** The corrections of a subscription, newest first. */
export const selectDoneCorrections = (
  database: Database,
  { seller_id, subscription_id }: Pick<SubscriptionRow, "seller_id" | "subscription_id">,
) =>
  queryRows<{ id: string; corrected_at: Date; changes: DetailChange[] }>(
    database,
    `select correction_id as id, corrected_at, changes from detail_correction
     where seller_id = $1 and subscription_id = $2 and state = 'done' and changes <> '[]'
     order by corrected_at desc, correction_id limit 100`,
    [seller_id, subscription_id],
  );

/** When its buyer ordered a subscription at a shared link; null for one that the seller created. */
export const selectOrderedAt = (
  database: Database,
  { seller_id, subscription_id }: Pick<SubscriptionRow, "seller_id" | "subscription_id">,
) =>
  queryValue<Date>(
    database,
    `select s.created_at from shared_link_order o join subscription s using (seller_id, subscription_id)
     where o.seller_id = $1 and o.subscription_id = $2 and o.is_origin`,
    [seller_id, subscription_id],
  );
