import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { addDays } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import type { Database } from "#lib/db/pool.ts";
import { readMadeSubscriptions } from "#lib/imports/store.ts";
import type { Bind } from "#lib/search-index/query/find-rows.ts";
import { hasDailySums } from "#lib/search-index/query/index-status.ts";
import { failedCheckoutsSql, recentlyPaidSql } from "./payments-store.ts";
import type { QueueCount } from "./queue-counts.ts";
import type { QueueParameters } from "./queue-store.ts";
import type { Cursor } from "./search.ts";
import {
  EVERY_STATUS,
  productCondition,
  readUnits,
  slicesSql,
  type Unit,
} from "./queue-slices.ts";

/** The subscriptions that can be the queue's next rows, up to a place. */
export interface QueuePart {
  /** Null for all. */
  ids: string[] | null;
  /** Null for the end of the queue. */
  until: Cursor | null;
}

const ALL: QueuePart = { ids: null, until: null };

/**
 * Finds the subscriptions that hold the rows after a cursor, by the daily sums: rows of one status,
 * day and price are next to each other, unless their buyer was contacted or their checkout failed.
 * @param most how many subscriptions to find, besides those whose place differs from others of
 * their day and price
 */
export async function readQueuePart(
  db: Database,
  owner: KeyOwner,
  question: QueueParameters,
  { after, most }: { after: Cursor | null; most: number },
): Promise<QueuePart> {
  const { search, words, person_id, time_zone, now } = question;
  if (search.import_run !== null)
    return { ids: await readMadeSubscriptions(db, owner, search.import_run), until: null };
  const today = dayInZone(now, time_zone);
  const among = async (condition: string, value: unknown): Promise<QueuePart> => {
    const ids = await readFewIds(db, owner, [stateSql(condition)], [value]);
    return { ids, until: null };
  };
  if (words !== "") return ALL;
  if (search.show === "promised") return among("promised_for >= $3", today);
  if (search.show === "today") return among("promised_for = $3", today);
  if (search.show === "broken") return among("promised_for < $3", today);
  if (search.show === "snoozed") return among("snoozed_until > $3", today);
  if (search.whose === "mine") return among("assigned_to = $3", person_id);
  if (!(await hasDailySums(db, owner, time_zone))) return ALL;
  const { units, isAll } =
    search.group === "failed"
      ? { units: [], isAll: true }
      : await readUnits(db, owner, question, { after, most });
  const plain = await readPlainIds(db, owner, question, { units, after, most });
  const last = plain.at(-1);
  const until = plain.length < most ? placeAfter(units.at(-1), isAll) : placeOf(units, last);
  const special = await readSpecialIds(db, owner, question, until === null);
  if (special === null) return ALL;
  return { ids: [...plain.map(({ id }) => id), ...special], until };
}

const placeAfter = (unit: Unit | undefined, isAll: boolean): Cursor | null =>
  isAll || !unit ? null : { ...unit.place, id: LAST_ID };

function placeOf(units: Unit[], last: { unit: number; id: string } | undefined): Cursor | null {
  const unit = last && units[last.unit];
  return unit ? { ...unit.place, id: last.id } : null;
}

/** Greater than any id. */
const LAST_ID = "\u{10FFFF}";

/** The most subscriptions that are read one by one for a page; for more, one scan of all is faster. */
const MOST_APART = 5_000;
/** The same for the counts, whose scan takes longer than 10 s for two million subscriptions. */
const MOST_COUNTED_APART = 50_000;

/** The ids that any of these queries finds; null if there are more than `most`. */
async function readFewIds(
  db: Database,
  { seller_id, mode }: KeyOwner,
  queries: readonly string[],
  values: unknown[],
  most = MOST_APART,
): Promise<string[] | null> {
  const { rows } = await db.query<{ id: string }>(
    `select id from (${queries.join(" union all ")}) as one limit ${most + 1}`,
    [seller_id, mode, ...values],
  );
  return rows.length > most ? null : [...new Set(rows.map(({ id }) => id))];
}

/** The first `most` ids of the units' rows, in the queue's order. */
async function readPlainIds(
  db: Database,
  owner: KeyOwner,
  { search, time_zone, now }: QueueParameters,
  { units, after, most }: { units: Unit[]; after: Cursor | null; most: number },
): Promise<{ unit: number; id: string }[]> {
  if (units.length === 0) return [];
  const slices = units.flatMap((unit, at) => unit.slices.map((slice) => ({ ...slice, at })));
  const startOf = (day: string) => zonedMoment(day, time_zone) ?? now;
  const values: unknown[] = [owner.seller_id, owner.mode];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const given = `unnest(${bind(slices.map(({ at }) => at))}::int[],
      ${bind(slices.map(({ status }) => status))}::text[],
      ${bind(slices.map(({ pbp_id }) => pbp_id))}::text[],
      ${bind(slices.map(({ price }) => price ?? "-1"))}::numeric[],
      ${bind(slices.map(({ currency }) => currency))}::text[],
      ${bind(slices.map(({ day }) => (day === null ? "-infinity" : startOf(day))))}::timestamptz[],
      ${bind(slices.map(({ day }) => (day === null ? NEVER : startOf(addDays(day, 1)))))}::timestamptz[])
      as s (unit, status, pbp_id, price, currency, since, until)`;
  const product = await productCondition(db, owner, search, bind);
  const [first] = units;
  const isWithin =
    after !== null &&
    first?.place.band === after.band &&
    first.place.days === after.days &&
    Number(first.place.amount) === Number(after.amount);
  const own = (condition: string, moment: string) => `
    select s.unit, c.id from ${given}
      join counted_subscription c on c.seller_id = $1 and c.mode = $2 and c.pbp_id = s.pbp_id
       and coalesce(c.price, -1) = s.price and c.currency = s.currency and ${condition}
       and coalesce(c.${moment}, '-infinity') >= s.since and coalesce(c.${moment}, '-infinity') < s.until
     where ${product} ${isWithin ? `and (s.unit > 0 or c.id > ${bind(after.id)})` : ""}`;
  const { rows } = await db.query<{ unit: number; id: string }>(
    `${own("c.status = s.status and c.status in ('due', 'active')", "next_billing_cycle")}
     union all
     ${own("s.status = 'pending_checkout' and c.status = 'pending_checkout'", "created_at")}
     order by unit, id limit ${bind(most)}`,
    values,
  );
  return rows;
}

/** Earlier than every moment in a search index. */
const NEVER = "4713-01-01 BC";

/** SQL of the subscriptions whose collection state fulfils a condition. */
const stateSql = (condition: string) => `select subscription_id as id from collection_state
  where seller_id = $1 and mode = $2 and ${condition}`;
const FAILED = `select subscription_id as id from (${failedCheckoutsSql}) as failed`;
const HAS_DEBT = stateSql("debt_left is not null");

/** Ids of the subscriptions whose place differs from others of their day and price. */
async function readSpecialIds(
  db: Database,
  owner: KeyOwner,
  { search, time_zone, now }: QueueParameters,
  isToEnd: boolean,
): Promise<string[] | null> {
  if (search.group === "failed") return readFewIds(db, owner, [FAILED], []);
  const today = dayInZone(now, time_zone);
  const elsewhere = [FAILED, HAS_DEBT, stateSql("promised_for < $3")];
  if (!isToEnd) return readFewIds(db, owner, elsewhere, [today]);
  const setAside = [stateSql("promised_for >= $3"), stateSql("last_contact_at >= $4")];
  const todayStart = zonedMoment(today, time_zone) ?? now;
  return readFewIds(db, owner, [...elsewhere, ...setAside], [today, todayStart]);
}

/** Counts of some subscriptions, and of all others together; see readQueueCounts. */
interface CountedParts {
  /** The subscriptions to count one by one; null for all. */
  ids: string[] | null;
  others: Pick<QueueCount, "group" | "currency" | "count" | "amount" | "is_list_price">[];
}

/**
 * Counts by the daily sums, except subscriptions that were contacted or have another state of their
 * own.
 */
export async function readPlainCounts(
  db: Database,
  owner: KeyOwner,
  question: QueueParameters,
): Promise<CountedParts> {
  const { words, time_zone, now, search } = question;
  if (search.import_run !== null)
    return { ids: await readMadeSubscriptions(db, owner, search.import_run), others: [] };
  if (words !== "" || !(await hasDailySums(db, owner, time_zone)))
    return { ids: null, others: [] };
  const today = dayInZone(now, time_zone);
  const startOf = (day: string) => zonedMoment(day, time_zone) ?? now;
  const ids = await readFewIds(
    db,
    owner,
    [
      FAILED,
      HAS_DEBT,
      stateSql("promised_for is not null"),
      stateSql("snoozed_until > $3"),
      stateSql("last_contact_at >= $4"),
      stateSql("assigned_to is not null"),
      `select c.id from counted_subscription c
        where c.seller_id = $1 and c.mode = $2 and c.status = 'active'
          and c.next_billing_cycle < $5 and c.id in (${recentlyPaidSql})`,
    ],
    [today, startOf(today), startOf(addDays(today, search.ahead + 1))],
    MOST_COUNTED_APART,
  );
  if (ids === null) return { ids, others: [] };
  const values: unknown[] = [owner.seller_id, owner.mode];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const slices = await slicesSql(db, owner, question, {
    bind,
    statuses: EVERY_STATUS,
    without: ids,
  });
  const { rows } = await db.query<CountedParts["others"][number]>(
    `${slices}
     select grp as group, currency, sum(n)::int as count, sum(n * amount)::text as amount,
            bool_or(is_list_price) as is_list_price
       from placed group by 1, 2`,
    values,
  );
  return { ids, others: rows };
}
