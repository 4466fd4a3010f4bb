import { queryRows, type Database } from "../../db/database.ts";

/**
 * Tables that are not cleared: the account itself, its catalogue, shared links, images and photos,
 * webhook endpoints, channels, payment accounts, schedule of reminders and opt-outs, its saved
 * states and the feed of changes.
 */
const KEPT = [
  "seller",
  "api_key",
  "directory",
  "product",
  "product_image",
  "plan",
  "billing_period",
  "offer",
  "shared_link",
  "image",
  "payment_photo",
  "webhook",
  "message_channel",
  "message_hour",
  "message_report",
  "payment_account",
  "payment_notice",
  "reminder_schedule",
  "reminder_step",
  "reminder_recipient",
  "sandbox_state",
  "sandbox_state_part",
  "record_change",
];

export const clearedTables = (database: Database): Promise<AccountTable[]> =>
  accountTables(database, KEPT);

/**
 * Tables that are not saved: the account, its keys, channels, payment accounts, comparisons and
 * schedule of reminders, images and photos, buyers' sign-ins and orders, derived rows, workers'
 * leases, states and the feed; messages, which a restored state must not send again; and opt-outs,
 * which are the buyers' wishes.
 */
const NOT_SAVED = [
  "seller",
  "api_key",
  "directory",
  "bill",
  "bill_file",
  "bill_to_send",
  "buyer_sign_in",
  "subscription_tally",
  "delivery_endpoint",
  "handed_reminder",
  "image",
  "journal_entry",
  "journal_line",
  "ledger_closing",
  "payment_photo",
  "message",
  "message_channel",
  "message_hour",
  "message_report",
  "payment_account",
  "payment_notice",
  "product_tally",
  "comparison",
  "reminder",
  "reminder_schedule",
  "reminder_step",
  "reminder_recipient",
  "shared_link_order",
  "sandbox_state",
  "sandbox_state_part",
  "record_change",
];

/** The tables of a saved state, referencing tables first. */
export const savedTables = (database: Database): Promise<AccountTable[]> =>
  accountTables(database, NOT_SAVED);

/** The seller's columns that a state restores; the others belong to the account. */
export const SAVED_SELLER_COLUMNS = [
  "last_position",
  "last_customer_position",
  "clock_offset_ms",
  "sandbox_scenario",
] as const;

export interface AccountTable {
  name: string;
  /** The columns that an insert can set: all but generated ones. */
  columns: string[];
  key: string[];
  /** Identity columns, which an update must not change. */
  numbered: string[];
  references: string[];
}

/**
 * The tables with a seller's rows except these, read from the database so that none can be
 * forgotten, and ordered so that rows can be deleted.
 */
async function accountTables(
  database: Database,
  except: readonly string[],
): Promise<AccountTable[]> {
  const tables = await queryRows<AccountTable>(
    database,
    `select c.relname as name, array(
       select k.confrelid::regclass::text from pg_constraint k
       where k.conrelid = c.oid and k.contype = 'f' and k.conparentid = 0) as references,
       array(select quote_ident(f.attname) from pg_attribute f
         where f.attrelid = c.oid and f.attnum > 0 and not f.attisdropped
           and f.attgenerated = '' order by f.attnum) as columns,
       array(select quote_ident(f.attname) from pg_index i
         join pg_attribute f on f.attrelid = c.oid and f.attnum = any (i.indkey)
         where i.indrelid = c.oid and i.indisprimary order by f.attnum) as key,
       array(select quote_ident(f.attname) from pg_attribute f
         where f.attrelid = c.oid and f.attidentity <> '') as numbered
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'seller_id'
     where c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = 'public'::regnamespace and c.relname <> all ($1)
     order by c.relname`,
    [except],
  );
  return inOrder(tables);
}

/** Sorts the tables so that referencing tables come first. */
function inOrder(tables: AccountTable[]): AccountTable[] {
  const ordered: AccountTable[] = [];
  let left = tables;
  while (left.length > 0) {
    const needed = new Set(
      left.flatMap(({ name, references }) => references.filter((other) => other !== name)),
    );
    const free = left.filter(({ name }) => !needed.has(name));
    if (free.length === 0) throw new Error("The tables reference each other in a cycle.");
    ordered.push(...free);
    left = left.filter(({ name }) => needed.has(name));
  }
  return ordered;
}
