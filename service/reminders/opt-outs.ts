import type { AddOptOut, OptOut } from "#contract/reminders.ts";
import { phoneSpellings } from "#contract/process/phone-number.ts";
import { queryRow, queryRows, type Database } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";
import { lockRecipient, SAME_RECIPIENT } from "./recipients.ts";

type Row = Omit<OptOut, "opted_out_at"> & { opted_out_at: Date };

const present = (row: Row): OptOut => ({
  ...row,
  opted_out_at: row.opted_out_at.toISOString(),
});

const COLUMNS = `own.recipient_id as id, own.phone, own.email, own.opted_out_at,
  own.opted_out_how as how, own.opted_out_reason as reason`;

/** Opt-outs before an id, newest recipients first. */
export async function selectOptOuts(
  database: Database,
  sellerId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<OptOut[]> {
  const rows = await queryRows<Row>(
    database,
    `select ${COLUMNS} from reminder_recipient own
     where own.seller_id = $1 and own.opted_out_at is not null
       and ($2::bigint is null or own.recipient_id < $2)
     order by own.recipient_id desc limit $3`,
    [sellerId, before ?? null, limit],
  );
  return rows.map(present);
}

const MOST_FOUND = 50;
const FEWEST_DIGITS = 4;

/** Opt-outs of these phone numbers, in any spelling, or mail addresses, or of a part of one. */
export async function findOptOuts(
  database: Database,
  seller: Seller,
  words: string[],
): Promise<OptOut[]> {
  const digits = words
    .filter((word) => !word.includes("@"))
    .map((word) => word.replace(/\D/g, ""));
  const rows = await queryRows<Row>(
    database,
    `select ${COLUMNS} from reminder_recipient own
     where own.seller_id = $1 and own.opted_out_at is not null
       and (own.phone_key = any ($2)
         or exists (select from unnest($3::text[]) part where strpos(own.phone_key, part) > 0)
         or exists (select from unnest($4::text[]) part where strpos(own.email, lower(part)) > 0))
     order by own.recipient_id desc limit ${MOST_FOUND}`,
    [
      seller.seller_id,
      digits.flatMap((word) => phoneSpellings(word, seller)),
      digits.filter((word) => word.length >= FEWEST_DIGITS),
      words.filter((word) => /\p{L}/u.test(word)),
    ],
  );
  return rows.map(present);
}

/** Notes that a buyer wants no reminders; an earlier opt-out of the buyer stays as it is. */
export async function addOptOut(
  database: Database,
  seller: Seller,
  { phone, email, reason }: AddOptOut,
  at: Date,
): Promise<OptOut> {
  const { recipient_id } = await lockRecipient(database, { seller, phone, email });
  const row = await queryRow<Row>(
    database,
    `update reminder_recipient own set opted_out_at = coalesce(opted_out_at, $2),
       opted_out_how = case when opted_out_at is null then 'member' else opted_out_how end,
       opted_out_reason = case when opted_out_at is null then $3 else opted_out_reason end
     where seller_id = $4 and recipient_id = $1
     returning ${COLUMNS}`,
    [recipient_id, at, reason, seller.seller_id],
  );
  if (!row) throw new Error("a recipient is missing");
  return present(row);
}

/**
 * Allows reminders again to the phone number and mail address of an opt-out.
 * @returns the opt-out that was removed; null if the seller has none with that id
 */
export async function removeOptOut(
  database: Database,
  sellerId: number,
  id: number,
): Promise<OptOut | null> {
  const row = await queryRow<Row>(
    database,
    `update reminder_recipient o set opted_out_at = null, opted_out_how = null,
       opted_out_reason = null
     from reminder_recipient own
     where own.seller_id = $1 and own.recipient_id = $2 and own.opted_out_at is not null
       and o.seller_id = own.seller_id and o.opted_out_at is not null
       and (o.recipient_id = own.recipient_id or ${SAME_RECIPIENT})
     returning ${COLUMNS}`,
    [sellerId, id],
  );
  return row && present(row);
}
