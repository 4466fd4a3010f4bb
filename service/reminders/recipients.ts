import { randomBytes } from "node:crypto";
import type { OptOut } from "#contract/reminders.ts";
import { phoneSpellings } from "#contract/process/phone-number.ts";
import { queryRow, queryRows, queryValue, type Database } from "../db/database.ts";
import { findSeller } from "../sellers/store.ts";

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

/** The name of the seller and whether the recipient opted out; null for an unknown key. */
export const findRecipient = (database: Database, key: string) =>
  queryRow<{ name: string; has_opted_out: boolean }>(
    database,
    `select coalesce(s.checkout_name, s.name) as name, exists (
       select from reminder_recipient o where o.seller_id = r.seller_id
         and o.opted_out_at is not null and (o.phone_key = r.phone_key
           or (o.email <> '' and o.email = r.email))) as has_opted_out
     from reminder_recipient r join seller s using (seller_id) where r.key = $1`,
    [key],
  );

/** Ends or resumes reminders to who has that phone or mail. @returns whether there is such a key */
export async function setOptOut(
  database: Database,
  key: string,
  optedOutAt: Date | null,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update reminder_recipient r set opted_out_at =
       case when $2::timestamptz is not null then coalesce(r.opted_out_at, $2) end
     from reminder_recipient own
     where own.key = $1 and r.seller_id = own.seller_id and (r.recipient_id = own.recipient_id
       or ($2::timestamptz is null
         and (r.phone_key = own.phone_key or (r.email <> '' and r.email = own.email))))`,
    [key, optedOutAt],
  );
  return (rowCount ?? 0) > 0;
}

/** Ends reminders to who was reminded at that number, in any spelling. */
export async function optOutByPhone(
  database: Database,
  { sellerId, phone, at }: { sellerId: number; phone: string; at: Date },
): Promise<void> {
  const seller = await findSeller(database, sellerId);
  if (!seller) return;
  await database.query(
    `update reminder_recipient set opted_out_at = $3
     where seller_id = $1 and phone_key = any ($2) and opted_out_at is null`,
    [sellerId, phoneSpellings(phone, seller), at],
  );
}

/** Who opted out, newest first, before a number. */
export async function selectOptOuts(
  database: Database,
  sellerId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<OptOut[]> {
  const rows = await queryRows<Omit<OptOut, "opted_out_at"> & { opted_out_at: Date }>(
    database,
    `select recipient_id as id, phone, email, opted_out_at from reminder_recipient
     where seller_id = $1 and opted_out_at is not null
       and ($2::bigint is null or recipient_id < $2)
     order by recipient_id desc limit $3`,
    [sellerId, before ?? null, limit],
  );
  return rows.map((row) => ({ ...row, opted_out_at: row.opted_out_at.toISOString() }));
}

/** @returns the opt-out that was removed; null if the seller has none of that number */
export async function removeOptOut(
  database: Database,
  sellerId: number,
  id: number,
): Promise<OptOut | null> {
  const row = await queryRow<Omit<OptOut, "opted_out_at"> & { opted_out_at: Date }>(
    database,
    `update reminder_recipient r set opted_out_at = null
     from reminder_recipient known
     where r.seller_id = $1 and r.recipient_id = $2 and known.recipient_id = r.recipient_id
       and known.opted_out_at is not null
     returning r.recipient_id as id, r.phone, r.email, known.opted_out_at`,
    [sellerId, id],
  );
  return row && { ...row, opted_out_at: row.opted_out_at.toISOString() };
}
