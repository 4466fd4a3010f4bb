import { randomBytes } from "node:crypto";
import type { OptOutWay } from "#contract/names.ts";
import { phoneSpellings } from "#contract/process/phone-number.ts";
import { findPhoneKey } from "../customers/store.ts";
import { queryRow, queryValue, type Database } from "../db/database.ts";
import { findSeller, sellerAt, type Seller } from "../sellers/store.ts";

/** The page on which a recipient ends or resumes reminders. */
export const stopAddress = (publicUrl: string, key: string) => `${publicUrl}/stop/${key}`;

interface Recipient {
  seller_id: number;
  customer_id: number;
  phone: string;
  email: string;
}

/** The unguessable key of a recipient's page, the same one for each reminder. */
export async function recipientKey(
  database: Database,
  { seller_id, customer_id, phone, email }: Recipient,
): Promise<string> {
  // An update that changes nothing returns the row that is there.
  const key = await queryValue<string>(
    database,
    `insert into reminder_recipient as r (key, seller_id, phone, phone_key, email)
     select $1, c.seller_id, $4, c.phone_key, lower($5) from customer c
     where c.seller_id = $2 and c.id = $3
     on conflict (seller_id, phone_key, email) do update set phone = r.phone returning key`,
    [randomBytes(16).toString("base64url"), seller_id, customer_id, phone, email],
  );
  if (key === null) throw new Error("the buyer of a subscription is missing");
  return key;
}

/**
 * The recipient of a phone number and mail address, locked; a known buyer keeps the spelling of the
 * number.
 */
export async function lockRecipient(
  database: Database,
  { seller, phone, email }: { seller: Seller; phone: string; email: string },
): Promise<{ recipient_id: number; phone_key: string; email: string }> {
  const row = await queryRow<{ recipient_id: number; phone_key: string; email: string }>(
    database,
    `insert into reminder_recipient as r (key, seller_id, phone, phone_key, email)
     values ($1, $2, $3, $4, lower($5))
     on conflict (seller_id, phone_key, email) do update set phone = r.phone
     returning recipient_id, phone_key, email`,
    [
      randomBytes(16).toString("base64url"),
      seller.seller_id,
      phone,
      await findPhoneKey(database, { seller, phone }),
      email,
    ],
  );
  if (!row) throw new Error("a recipient is missing");
  return row;
}

/** SQL: the row `o` has the phone number or mail address of the recipient `own`. */
export const SAME_RECIPIENT = `o.seller_id = own.seller_id
  and ((o.phone_key <> '' and o.phone_key = own.phone_key)
    or (o.email <> '' and o.email = own.email))`;

/** The name of the seller and whether the recipient opted out; null for an unknown key. */
export const findRecipient = (database: Database, key: string) =>
  queryRow<{ name: string; has_opted_out: boolean }>(
    database,
    `select coalesce(s.checkout_name, s.name) as name, exists (
       select from reminder_recipient o
       where ${SAME_RECIPIENT} and o.opted_out_at is not null) as has_opted_out
     from reminder_recipient own join seller s using (seller_id)
     where own.seller_id = ${sellerAt("md5($1)::uuid")} and own.key = $1`,
    [key],
  );

/**
 * Ends or resumes reminders to the phone number and mail address of that key.
 * @returns whether there is such a key
 */
export async function setOptOut(
  database: Database,
  key: string,
  optedOutAt: Date | null,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update reminder_recipient o set
       opted_out_how = case when $2::timestamptz is not null then coalesce(o.opted_out_how, 'link') end,
       opted_out_reason = case when $2::timestamptz is not null then o.opted_out_reason end,
       opted_out_at = case when $2::timestamptz is not null then coalesce(o.opted_out_at, $2) end
     from reminder_recipient own
     where own.seller_id = ${sellerAt("md5($1)::uuid")} and own.key = $1
       and o.seller_id = own.seller_id and (o.recipient_id = own.recipient_id
       or ($2::timestamptz is null and ${SAME_RECIPIENT}))`,
    [key, optedOutAt],
  );
  return (rowCount ?? 0) > 0;
}

/** Ends or resumes reminders to a number or address, also one that no reminder went to. */
export async function setOptOutOf(
  database: Database,
  { seller_id, phone_key, email }: { seller_id: number; phone_key: string; email: string },
  optedOutAt: Date | null,
): Promise<void> {
  const key = await queryValue<string>(
    database,
    `insert into reminder_recipient as r (key, seller_id, phone, phone_key, email)
     values ($1, $2, $3, $3, $4)
     on conflict (seller_id, phone_key, email) do update set phone = r.phone returning key`,
    [randomBytes(16).toString("base64url"), seller_id, phone_key, email],
  );
  if (key !== null) await setOptOut(database, key, optedOutAt);
}

/** Ends reminders to every recipient with that number, in any spelling. */
export async function optOutByPhone(
  database: Database,
  { sellerId, phone, at }: { sellerId: number; phone: string; at: Date },
): Promise<void> {
  const seller = await findSeller(database, sellerId);
  if (!seller) return;
  const how: OptOutWay = "reply";
  await database.query(
    `update reminder_recipient set opted_out_at = $3, opted_out_how = $4
     where seller_id = $1 and phone_key = any ($2) and opted_out_at is null`,
    [sellerId, phoneSpellings(phone, seller), at, how],
  );
}
