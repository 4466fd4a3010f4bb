import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { addDays } from "#lib/format/calendar.ts";
import { isStorableText, singleRow, type Database } from "#lib/db/pool.ts";
import { openFile, type FileRequester, type OpenFile } from "#lib/files/file-turns.ts";
import { isAfterCursorSql, momentCursorSql } from "#lib/format/moment-place.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import type { GivenBack } from "#lib/money/payable.ts";
import type { ListedPayment, SubscriptionPayments, UnverifiedPayment } from "./queries.ts";
import type { PaymentSearch } from "./search.ts";

const PAGE = 25;
const FILE_STEP = 1_000;
const OF_SUBSCRIPTION = 20;

/** The payments in one currency; amounts are decimal texts. */
interface PaymentTotal {
  currency: string;
  count: number;
  amount: string;
  fee: string;
  net: string;
  /** Absent if nothing was given back. */
  given_back?: GivenBack;
}

export interface PaymentPage {
  payments: ListedPayment[];
  /** Totals of all matching payments, not of the page. */
  totals: PaymentTotal[];
  /** The number of payments without an amount, which are in no total. */
  unknown: number;
  /** The highest number among all matching payments; 0 for none. */
  newest: string;
  /** Cursor of the next page; null at the end. */
  next: string | null;
}

export async function readPayments(
  db: Database,
  owner: KeyOwner,
  search: KnownPaymentSearch,
  time_zone: string,
): Promise<PaymentPage> {
  const [payments, sums] = await Promise.all([
    selectPayments(db, owner, search, time_zone, PAGE + 1),
    selectTotals(db, owner, search, time_zone),
  ]);
  const next = payments.length > PAGE ? (payments[PAGE - 1]?.place ?? null) : null;
  return { payments: payments.slice(0, PAGE), next, ...sums };
}

export async function countNewPayments(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { search, newest }: { search: KnownPaymentSearch; newest: string },
  time_zone: string,
): Promise<number> {
  const { sql, values } = narrowed(search, time_zone);
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from proof p
      where p.seller_id = $1 and p.mode = $2${sql} and p.id > $${values.length + 3}`,
    [seller_id, mode, ...values, newest],
  );
  return singleRow(rows).count;
}

interface AskedFile {
  search: KnownPaymentSearch;
  time_zone: string;
  asker: FileRequester;
  /** Writes the audit entry, before the first row is sent. */
  record: () => Promise<void>;
}

export const openPaymentsFile = (
  db: Database,
  owner: KeyOwner,
  { search, time_zone, asker, record }: AskedFile,
  write: (rows: AsyncGenerator<ListedPayment[]>) => ReadableStream<Uint8Array>,
): Promise<OpenFile> =>
  openFile(asker, async (allowed) => {
    await record();
    return { source: write(allowed(everyPayment(db, owner, search, time_zone))) };
  });

async function* everyPayment(
  db: Database,
  owner: KeyOwner,
  search: KnownPaymentSearch,
  time_zone: string,
): AsyncGenerator<ListedPayment[]> {
  let before: string | null = null;
  do {
    const step = await selectPayments(db, owner, { ...search, before }, time_zone, FILE_STEP);
    if (step.length > 0) yield step;
    before = step.length < FILE_STEP ? null : (step.at(-1)?.place ?? null);
  } while (before !== null);
}

/**
 * SQL of whether a payment is a renewal. The service's own list does not say so, but a payment is a
 * renewal if the same subscription has an earlier one, and is none if a complete list has no earlier
 * one.
 */
const IS_RENEWAL = `coalesce(p.is_renewal, case when p.period_start is null then null
  when exists (select from proof e
         where e.seller_id = p.seller_id and e.mode = p.mode
           and e.subscription_id = p.subscription_id and e.said_at < p.said_at) then true
  when (select i.has_all_payments from search_index i
         where i.seller_id = p.seller_id and i.mode = p.mode) then false end)`;

const PAYMENT_COLUMNS = `p.id::text, p.paid_at as at, p.said_at, p.subscription_id, p.delivery_id,
  p.received_delivery_id::text, p.product_name, p.amount::text, p.currency, p.fee::text,
  p.net::text, p.vat::text, p.method, p.is_list_price, p.known_by, ${IS_RENEWAL} as is_renewal,
  upper(left(p.payment_id, 8)) as reference,
  (select json_build_object('refunded', d.refunded::text, 'refund_owed', d.refund_owed::text,
       'is_reversed', d.reversed_at is not null, 'recorded', d.recorded)
     from payment_detail d
    where d.seller_id = p.seller_id and d.mode = p.mode and d.payment_id = p.payment_id) as later`;

/**
 * Reads an amount as people write it into plain digits, such as "Rs 1,999.00"; null for other text.
 */
const amountIn = (text: string): string | null =>
  /^(?:[A-Z]{3}|Rs\.?|रु\.?)?\s*([\d,]{1,15}(?:\.\d{1,2})?)$/i
    .exec(text.trim())?.[1]
    ?.replaceAll(",", "") || null;

/** A search with the keys of the buyer's phone, by which the index finds their subscriptions. */
export type KnownPaymentSearch = PaymentSearch & { phone_keys?: string[] };

/** SQL conditions of the search; their parameters start at $3. */
function narrowed(search: KnownPaymentSearch, time_zone: string) {
  const values: unknown[] = [];
  const parts: string[] = [];
  const add = (sql: (place: string) => string, value: unknown) => {
    values.push(value);
    parts.push(sql(`$${values.length + 2}`));
  };
  if (search.from !== null)
    add((at) => `p.paid_at >= ${at}`, zonedMoment(search.from, time_zone));
  if (search.to !== null)
    add((at) => `p.paid_at < ${at}`, zonedMoment(addDays(search.to, 1), time_zone));
  if (search.phone_keys !== undefined)
    add(
      (at) => `p.subscription_id in (
        select id from indexed_subscription
         where seller_id = $1 and mode = $2 and phone_key = any(${at}) and phone_key <> '')`,
      search.phone_keys,
    );
  if (search.q !== null) {
    values.push(amountIn(search.q));
    const amount = `$${values.length + 2}::numeric`;
    add(
      (at) => `(p.amount = ${amount} or p.id::text = ${at}
        or strpos(p.subscription_id, lower(${at})) > 0
        or strpos(coalesce(p.delivery_id, ''), ${at}) > 0
        or strpos(coalesce(p.payment_id, ''), lower(${at})) = 1
        or lower(p.provider_reference) = lower(${at})
        or strpos(lower(coalesce(p.product_name, '')), lower(${at})) > 0)`,
      search.q,
    );
  }
  return { sql: parts.map((part) => ` and ${part}`).join(""), values };
}

async function selectPayments(
  db: Database,
  { seller_id, mode }: KeyOwner,
  search: KnownPaymentSearch,
  time_zone: string,
  most: number,
): Promise<PlacedPayment[]> {
  const { sql, values } = narrowed(search, time_zone);
  const { rows } = await db.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS}, s.full_name as buyer, ${momentCursorSql("p.paid_at", "p.id")} as place
       from proof p
       left join indexed_subscription s
         on s.seller_id = p.seller_id and s.mode = p.mode and s.id = p.subscription_id
      where p.seller_id = $1 and p.mode = $2${sql}
        ${search.before === null ? "" : `and ${isAfterCursorSql("p.paid_at", "p.id", `$${values.length + 3}`)}`}
      order by p.paid_at desc, p.id desc limit ${most}`,
    [seller_id, mode, ...values, ...(search.before === null ? [] : [search.before])],
  );
  return rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    said_at: row.said_at?.toISOString() ?? null,
  }));
}

/** A payment with its cursor. */
type PlacedPayment = ListedPayment & { place: string };
type PaymentRow = Omit<PlacedPayment, "at" | "said_at"> & { at: Date; said_at: Date | null };

async function selectTotals(
  db: Database,
  { seller_id, mode }: KeyOwner,
  search: KnownPaymentSearch,
  time_zone: string,
): Promise<Pick<PaymentPage, "totals" | "unknown" | "newest">> {
  const { sql, values } = narrowed(search, time_zone);
  const { rows } = await db.query<
    Omit<PaymentTotal, "currency" | "given_back"> &
      GivenBack & { currency: string | null; newest: string }
  >(
    `select case when p.amount is null then null else coalesce(p.currency, '') end as currency,
            count(*)::integer as count, max(p.id)::text as newest,
            sum(p.amount)::text as amount, sum(p.fee)::text as fee, sum(p.net)::text as net,
            coalesce(sum(d.refunded), 0.00)::text as refunded,
            coalesce(sum(p.amount) filter (where d.reversed_at is not null), 0.00)::text as reversed,
            (sum(p.net) - coalesce(sum(d.refunded), 0)
              - coalesce(sum(p.net) filter (where d.reversed_at is not null), 0))::text as left
       from proof p
       left join payment_detail d
         on d.seller_id = p.seller_id and d.mode = p.mode and d.payment_id = p.payment_id
        and (d.refunded > 0 or d.refund_owed > 0 or d.reversed_at is not null)
      where p.seller_id = $1 and p.mode = $2${sql}
      group by 1 order by 1`,
    [seller_id, mode, ...values],
  );
  const newest = rows.map((row) => BigInt(row.newest)).reduce((a, b) => (a > b ? a : b), 0n);
  return {
    newest: String(newest),
    totals: rows.flatMap(({ currency, newest: _newest, refunded, reversed, left, ...sums }) => {
      const isWhole = Number(refunded) === 0 && Number(reversed) === 0;
      const given_back = isWhole ? {} : { given_back: { refunded, reversed, left } };
      return currency === null ? [] : [{ currency, ...sums, ...given_back }];
    }),
    unknown: rows.find(({ currency }) => currency === null)?.count ?? 0,
  };
}

export async function readSubscriptionPayments(
  db: Database,
  { seller_id, mode }: KeyOwner,
  subscription_id: string,
): Promise<SubscriptionPayments> {
  // No payment has an empty subscription id, so a text that PostgreSQL cannot store finds none.
  const id = isStorableText(subscription_id) ? subscription_id : "";
  const { rows } = await db.query<FoundPayments>(
    `select
       (select coalesce(json_agg(to_jsonb(k) order by k.at desc, k.place desc), '[]') from (
          select ${PAYMENT_COLUMNS}, p.id as place from proof p
           where p.seller_id = $1 and p.mode = $2 and p.subscription_id = $3
           order by p.paid_at desc, p.id desc limit ${OF_SUBSCRIPTION}) k) as payments,
       (select coalesce(json_agg(f.received_at order by f.received_at desc), '[]') from (
          select received_at from received_delivery
           where seller_id = $1 and mode = $2 and subscription_id = $3 and verdict = 'verified'
             and event = 'checkout.failed' and reason is distinct from 'example'
           order by id desc limit ${OF_SUBSCRIPTION}) f) as failures,
       (select to_json(last_at) #>> '{}' from buyer_return
         where seller_id = $1 and mode = $2 and subscription_id = $3) as returned_at,
       (select greatest(1, extract(epoch from now() - last_at))::integer from buyer_return
         where seller_id = $1 and mode = $2 and subscription_id = $3) as returned_ago,
       (select to_json(min(added_at)) #>> '{}' from receiver_secret
         where seller_id = $1 and mode = $2 and (ends_at is null or ends_at > now()))
         as verifying_since,
       exists (select from receiver where seller_id = $1 and mode = $2
                  and registered_at is not null) as is_registered,
       (select json_build_object('verdict', verdict, 'reason', reason, 'at', received_at,
                                  'body', body)
          from received_delivery d
         where seller_id = $1 and mode = $2 and subscription_id = $3
           and event = 'checkout.succeeded'
           and (verdict in ('forged', 'late', 'unverified') or reason = 'same_body')
           -- Compared by the time of receipt, because a payment that is verified later gets a later
           -- row.
           and not exists (select 1 from proof p
                 where p.seller_id = $1 and p.mode = $2 and p.subscription_id = $3
                   and (p.at, p.received_delivery_id) > (d.received_at, d.id))
         order by received_at desc, id desc limit 1) as unproven`,
    [seller_id, mode, id],
  );
  const { unproven, ...found } = singleRow(rows);
  if (!unproven) return { ...found, unproven };
  const { body, ...rest } = unproven;
  return { ...found, unproven: { ...rest, said_at: saidAt(body) } };
}

interface FoundPayments extends Omit<SubscriptionPayments, "unproven"> {
  unproven: (Omit<UnverifiedPayment, "said_at"> & { body: string | null }) | null;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

/** The payment time by the sender's clock; null if the body has none. */
function saidAt(body: string | null): string | null {
  const sent = jsonOf(body);
  const said: unknown =
    typeof sent === "object" && sent !== null ? Reflect.get(sent, "timestamp") : null;
  if (typeof said !== "string" || !MOMENT.test(said)) return null;
  const moment = Date.parse(said);
  return Number.isNaN(moment) ? null : new Date(moment).toISOString();
}

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text?.replace(/^\uFEFF/, "") ?? "");
  } catch {
    return null;
  }
}
