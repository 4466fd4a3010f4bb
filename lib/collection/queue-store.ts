import "server-only";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { addDays } from "#lib/format/calendar.ts";
import type { Database } from "#lib/db/pool.ts";
import { isCurrentContactSql } from "#lib/money/debt.ts";
import { dayInZone } from "#lib/format/format.ts";
import {
  facetConditionSql,
  localTimeSql,
  matchingFacets,
  readFacets,
} from "#lib/search-index/query/conditions.ts";
import type { Bind } from "#lib/search-index/query/find-rows.ts";
import { expandTerms, searchTerms } from "#lib/search-index/query/search-terms.ts";
import { Statement } from "#lib/search-index/query/statement.ts";
import { joinCheckoutAmounts, owedCtes } from "#lib/search-index/query/owed.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import {
  contactSummaryOf,
  collectionStateColumns,
  type CollectionStateRow,
} from "./contacts-store.ts";
import { failedCheckoutsSql, recentlyPaidSql } from "./payments-store.ts";
import { daysSql, rankedCtes } from "./queue-rank.ts";
import { readPlainCounts, readQueuePart, type QueuePart } from "./queue-part.ts";
import type { ContactSummary } from "./rules.ts";
import { mergeCounts, type QueueCount } from "./queue-counts.ts";
import type { QueueSearch, Cursor, EntryFilter, AssigneeFilter } from "./search.ts";

export interface QueueParameters {
  search: QueueSearch;
  words: string;
  /** The user whose assigned buyers the filter "mine" shows. */
  person_id: string;
  time_zone: string;
  /** The current time, ISO. */
  now: string;
  /** The grace period in days; null if unknown. */
  grace: number | null;
}

/** A queue row from the index and the contacts. */
export interface QueueRow {
  record: Subscription;
  failed_at: string | null;
  contacted: ContactSummary;
  place: Cursor;
}

/**
 * The fewest subscriptions that are read for a page: some of them may belong elsewhere in the
 * queue.
 */
const FEWEST_READ = 60;

/** The first rows after a cursor, most urgent first. */
export async function readQueue(
  db: Database,
  owner: KeyOwner,
  question: QueueParameters,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<QueueRow[]> {
  const found: QueueRow[] = [];
  let from = after;
  for (let most = Math.max(FEWEST_READ, 2 * limit); ; most *= 4) {
    const part = await readQueuePart(db, owner, question, { after: from, most });
    found.push(
      ...(await readRows(db, owner, question, {
        ...part,
        after: from,
        limit: limit - found.length,
      })),
    );
    if (found.length >= limit || part.until === null) return found;
    from = part.until;
  }
}

/** The rows of the subscriptions with these `ids`, or of all if null. */
async function readRows(
  db: Database,
  owner: KeyOwner,
  question: QueueParameters,
  { after, limit, ids, until }: QueuePart & { after: Cursor | null; limit: number },
): Promise<QueueRow[]> {
  const { search } = question;
  const { placed, statement } = await placedSql(db, owner, question, ids);
  const { bind, values } = statement;
  const place = "(band, days, -amount, id)";
  const behind = after ? `and ${place} > ${placeSql(bind, after)}` : "";
  const before = until ? `and ${place} <= ${placeSql(bind, until)}` : "";
  const { rows } = await db.query<
    CollectionStateRow &
      Cursor & { record: Subscription; failed_at: Date | null; is_about: boolean }
  >(
    `${placed}, page as (
       select * from placed
        where ${ofWhose(search.whose)} and ${ofShow(search.show)}
          and ${search.group ? ofGroup(search.group) : "true"} ${behind} ${before}
        order by band, days, amount desc, id limit ${bind(limit)})
     select page.band, page.days, page.amount::text, page.id, page.failed_at, page.is_about,
            s.record, ${collectionStateColumns("s.next_billing_cycle", "s.phone_key")}
       from page
       join indexed_subscription s on s.seller_id = $1 and s.mode = $2 and s.id = page.id
       left join collection_state k
         on k.seller_id = $1 and k.mode = $2 and k.subscription_id = page.id
      order by page.band, page.days, page.amount desc, page.id`,
    values,
  );
  return rows.map((row) => {
    const { record, failed_at, is_about, band, days, amount, id } = row;
    return {
      record,
      failed_at: failed_at?.toISOString() ?? null,
      contacted: contactSummaryOf(row, is_about),
      place: { band, days, amount, id },
    };
  });
}

const placeSql = (bind: Bind, { band, days, amount, id }: Cursor) =>
  `(${bind(band)}::int, ${bind(days)}::int, -${bind(amount)}::numeric,
    ${bind(id)}::text collate "C")`;

interface CountedCell extends QueueCount {
  /** The currency of the debt if it differs from the price's; else null. */
  second: string | null;
  kept: string;
  is_kept_so: boolean | null;
}

const NOT_CONTACTED = {
  turn: "now",
  is_failed: false,
  is_broken: false,
  is_for_today: false,
  whose: "nobody",
} as const;

/** Counts of all buyers by state; the page's filters are summed from them. */
export async function readQueueCounts(
  db: Database,
  owner: KeyOwner,
  question: QueueParameters,
): Promise<QueueCount[]> {
  const { ids, others } = await readPlainCounts(db, owner, question);
  const { placed, statement } = await placedSql(db, owner, question, ids);
  const me = statement.bind(question.person_id);
  const { rows } = await db.query<CountedCell>(
    `${placed}
     select grp as group, turn, is_failed, is_broken,
            turn = 'promised' and days = 0 as is_for_today, currency,
            case assigned_to when ${me}::uuid then 'mine' else
              case when assigned_to is null then 'nobody' else 'others' end end as whose,
            case when has_two_currencies then debt_currency end as second,
            count(*)::int as count, coalesce(sum(amount), 0)::text as amount,
            bool_or(is_list_price) as is_list_price,
            coalesce(sum(debt_left), 0)::text as kept, bool_or(debt_is_list_price) as is_kept_so
       from placed group by 1, 2, 3, 4, 5, 6, 7, 8`,
    statement.values,
  );
  // A debt in a second currency does not count as a second buyer.
  const cells = rows.flatMap(({ second, kept, is_kept_so, ...cell }): QueueCount[] =>
    second === null
      ? [cell]
      : [
          cell,
          {
            ...cell,
            count: 0,
            currency: second,
            amount: kept,
            is_list_price: is_kept_so === true,
          },
        ],
  );
  return mergeCounts([...cells, ...others.map((other) => ({ ...NOT_CONTACTED, ...other }))]);
}

const ofGroup = (group: NonNullable<QueueSearch["group"]>) =>
  group === "failed" ? "is_failed" : `grp = '${group}'`;

const ofShow = (show: EntryFilter) =>
  ({
    open: "turn <> 'snoozed'",
    promised: "turn = 'promised'",
    today: "turn = 'promised' and days = 0",
    broken: "is_broken and turn <> 'snoozed'",
    snoozed: "turn = 'snoozed'",
  })[show];

const ofWhose = (whose: AssigneeFilter) =>
  ({ anybody: "true", mine: "is_mine", nobody: "assigned_to is null" })[whose];

/**
 * CTEs up to `placed`: the buyers to contact, with their rank. The same as collectionStatusOf,
 * priorityOf and daysWithinPriority; a test compares them.
 */
async function placedSql(
  db: Database,
  owner: KeyOwner,
  { search, words, person_id, time_zone, now, grace }: QueueParameters,
  ids: readonly string[] | null,
): Promise<{ placed: string; statement: Statement }> {
  const today = dayInZone(now, time_zone);
  const startOf = (day: string) => zonedMoment(day, time_zone) ?? now;
  const { product } = search;
  const facets = product
    ? matchingFacets(await readFacets(db, owner), { product, plan: null })
    : null;
  const terms = await expandTerms(db, owner, searchTerms(words));
  const statement = new Statement(owner, {
    list: "subscriptions",
    conditions: [
      ...(facets ? [(bind: Bind) => facetConditionSql(facets, bind)] : []),
      ...(ids ? [(bind: Bind) => `id = any(${bind(ids)})`] : []),
    ],
    terms,
    order: null,
    paging: { page: 1, page_size: 1 },
  });
  const { bind, where } = statement;
  const local = localTimeSql(bind, time_zone, addDays(today, 400));
  const [day, graceDays, me] = [
    `${bind(today)}::date`,
    `${bind(grace)}::int`,
    `${bind(person_id)}::uuid`,
  ];
  const soonEnd = bind(startOf(addDays(today, search.ahead + 1)));
  const todayStart = bind(startOf(today));
  const columns = "id, status, pbp_id, price, currency, next_billing_cycle, created_at";
  const table = terms.length === 0 ? "counted_subscription" : "indexed_subscription";
  const owed = owedCtes({
    day,
    where,
    columns: ["next_billing_cycle", "created_at"],
    table,
  });
  const placed = `
    with failed as materialized (${failedCheckoutsSql}),
    paid as materialized (${recentlyPaidSql}),
    ${owed},
    unpaid as (
      select ${columns} from ${table}
       where ${where} and status = 'active' and next_billing_cycle < ${soonEnd}
         and id not in (select subscription_id from paid)
         and id not in (select subscription_id from debt)
      union all
      select ${columns} from ${table}
       where ${where} and status = 'pending_checkout'
         and id not in (select subscription_id from debt)
    ), candidate as (
      select id, case when is_due then 'due' else 'owing' end as status, next_billing_cycle, created_at,
             amount, amount_currency as currency, is_list_price, has_two_currencies,
             debt_left, debt_since, debt_currency, debt_is_list_price
        from owed
      union all
      select u.id, u.status, u.next_billing_cycle, u.created_at, coalesce(asked.amount, u.price, 0),
             u.currency, asked.amount is null and u.price is not null, false, null, null, null, null
        from unpaid u ${joinCheckoutAmounts("u")}
    ), stood as (
      select c.*, f.failed_at, f.failed_at is not null as is_failed,
             -- A former member counts as no assignee.
             w.user_id as assigned_to, coalesce(w.user_id = ${me}, false) as is_mine,
             k.last_contact_at, coalesce(${isCurrentContactSql("k", "c.next_billing_cycle")}, false) as is_about,
             k.promised_for, k.snoozed_until,
             ${daysSql({
               day,
               grace: graceDays,
               status: "c.status",
               since: "c.debt_since",
               next: `(${local("c.next_billing_cycle")})::date`,
               created: `(${local("c.created_at")})::date`,
             })}
        from candidate c
        left join collection_state k on k.seller_id = $1 and k.mode = $2 and k.subscription_id = c.id
        left join membership w on w.seller_id = $1 and w.user_id = k.assigned_to
        left join failed f on f.subscription_id = c.id
    ), ${rankedCtes({ day, todayStart })}`;
  return { placed, statement };
}
