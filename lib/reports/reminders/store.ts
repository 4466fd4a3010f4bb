import "server-only";
import { readKnown } from "../report-statement.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { addDays } from "#lib/format/calendar.ts";
import { singleRow, type Database } from "#lib/db/pool.ts";
import { calendarDay, dayInZone } from "#lib/format/format.ts";
import { CHANGE_KINDS } from "#lib/search-index/query/conditions.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import type { ReminderResults, ResultDays } from "./queries.ts";
import type { ScheduleResults } from "#contract/reminders.ts";
import {
  PAYMENT_WINDOWS,
  groupKeyOfChannel,
  groupKeyOfMember,
  groupKeyOfReminderCount,
  groupOutcomes,
  reminderOutcomesOf,
  type RemindedCase,
  type UnremindedCase,
} from "./rules.ts";

const DAY_MS = 86_400_000;

export interface ReminderResultsParameters {
  days: ResultDays;
  time_zone: string;
  /** The current time, ISO. */
  now: string;
  /** The ISO time until which payments are known. */
  until: string;
}

export async function readReminderResults(
  db: Database,
  owner: KeyOwner,
  { days, time_zone, now, until }: ReminderResultsParameters,
): Promise<ReminderResults> {
  const to = dayInZone(now, time_zone);
  const from = addDays(to, 1 - days);
  const start = zonedMoment(from, time_zone) ?? now;
  const { known_since } = await readKnown(db, owner);
  const since = start > known_since ? start : known_since;
  const [reminded, unreminded, promises, unknown] = await Promise.all([
    readRemindedCases(db, owner, since),
    readUnremindedCases(db, owner, since),
    readPromises(db, owner, { since, time_zone, until }),
    countUnknown(db, owner, since),
  ]);
  return {
    days,
    from,
    to,
    is_partial: start < known_since,
    known_since,
    reminded: reminderOutcomesOf(reminded, until),
    unreminded: reminderOutcomesOf(unreminded, until),
    channels: groupOutcomes(reminded, until, groupKeyOfChannel),
    counts: groupOutcomes(reminded, until, groupKeyOfReminderCount).toSorted((one, other) =>
      one.key < other.key ? -1 : 1,
    ),
    people: groupOutcomes(reminded, until, groupKeyOfMember),
    promises,
    unknown,
  };
}

/**
 * SQL that joins `p`, the first payment of a row's subscription after a moment.
 * @param of the alias of the row
 */
const paymentAfter = (of: string, moment: string) => `
  left join lateral (
    select c.id, c.seen_at, coalesce(l.amount, c.new_price)::text as amount,
           coalesce(l.currency, c.new_currency) as currency
      from subscription_change c
      -- The stored payment, else the list price.
      left join proof l on l.seller_id = $1 and l.mode = $2 and l.id = c.proof_id
     where c.seller_id = $1 and c.mode = $2 and c.subscription_id = ${of}.subscription_id
       and c.seen_at > ${moment} and ${CHANGE_KINDS.paid}
     order by c.seen_at, c.id limit 1) p on true`;

interface CaseRow {
  from: Date;
  seen_at: Date | null;
  amount: string | null;
  currency: string | null;
}

const toCase = <Row extends CaseRow>({ from, seen_at, amount, currency, ...row }: Row) => ({
  ...row,
  from: from.toISOString(),
  paid: seen_at && { at: seen_at.toISOString(), amount, currency: currency ?? "" },
});

/**
 * One row for all reminders of a subscription before the same payment, with the payment, if any.
 * @param since ISO
 */
export async function readRemindedCases(
  db: Database,
  { seller_id, mode }: KeyOwner,
  since: string,
): Promise<RemindedCase[]> {
  const { rows } = await db.query<CaseRow & Omit<RemindedCase, "from" | "paid">>(
    `select distinct on (k.subscription_id, p.id) k.subscription_id, k.channel, k.person_id,
            k.person_name, k.at as "from",
            (count(*) over (partition by k.subscription_id, p.id))::int as reminders,
            p.seen_at, p.amount, p.currency
       from contact k
       join indexed_subscription s
         on s.seller_id = $1 and s.mode = $2 and s.id = k.subscription_id
       ${paymentAfter("k", "k.at")}
      where k.seller_id = $1 and k.mode = $2 and k.kind = 'reminder' and k.undone_at is null
        and k.at >= $3
      order by k.subscription_id, p.id, k.id desc`,
    [seller_id, mode, since],
  );
  return rows.map(toCase);
}

/**
 * Buyers who became due since `since` and got no reminder from two weeks before that until they
 * paid.
 */
export async function readUnremindedCases(
  db: Database,
  { seller_id, mode }: KeyOwner,
  since: string,
): Promise<UnremindedCase[]> {
  const { rows } = await db.query<CaseRow & { subscription_id: string }>(
    `select d.subscription_id, d.seen_at as "from", p.seen_at, p.amount, p.currency
       from subscription_change d
       ${paymentAfter("d", "d.seen_at")}
      where d.seller_id = $1 and d.mode = $2 and d.seen_at >= $3
        and d.new_status = 'due' and d.old_status <> 'due'
        and not exists (
          select 1 from contact k
           where k.seller_id = $1 and k.mode = $2 and k.subscription_id = d.subscription_id
             and k.kind = 'reminder' and k.undone_at is null
             and k.at >= d.seen_at - interval '14 days'
             and k.at < coalesce(p.seen_at, 'infinity'))`,
    [seller_id, mode, since],
  );
  return rows.map(toCase);
}

interface PromiseQuestion {
  since: string;
  time_zone: string;
  until: string;
}

/** Judges the last promise before each payment; it is kept if paid by the end of the promised day. */
export async function readPromises(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { since, time_zone, until }: PromiseQuestion,
): Promise<ReminderResults["promises"]> {
  const { rows } = await db.query<{ promised_for: string | null; seen_at: Date | null }>(
    `select distinct on (k.subscription_id, p.id) k.detail->>'promised_for' as promised_for,
            p.seen_at
       from contact k
       join indexed_subscription s
         on s.seller_id = $1 and s.mode = $2 and s.id = k.subscription_id
       ${paymentAfter("k", "k.at")}
      where k.seller_id = $1 and k.mode = $2 and k.kind = 'promise' and k.undone_at is null
        and k.at >= $3
      order by k.subscription_id, p.id, k.id desc`,
    [seller_id, mode, since],
  );
  const seen = dayInZone(until, time_zone);
  const promises = { kept: 0, broken: 0, open: 0 };
  for (const { promised_for, seen_at } of rows) {
    if (promised_for === null) continue;
    const paid = seen_at && calendarDay(seen_at.toISOString(), time_zone);
    if (paid !== null && paid <= promised_for) promises.kept += 1;
    else if (paid !== null || promised_for < seen) promises.broken += 1;
    else promises.open += 1;
  }
  return promises;
}

/** Reminders about subscriptions that are not indexed. */
export async function countUnknown(
  db: Database,
  { seller_id, mode }: KeyOwner,
  since: string,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from contact k
      where k.seller_id = $1 and k.mode = $2 and k.kind = 'reminder' and k.undone_at is null
        and k.at >= $3
        and not exists (select 1 from indexed_subscription s
                         where s.seller_id = $1 and s.mode = $2 and s.id = k.subscription_id)`,
    [seller_id, mode, since],
  );
  return singleRow(rows).count;
}

/** States of a message that was sent, or may have been sent. */
const SENT = "('accepted', 'delivered', 'read', 'unknown')";

/**
 * Payments after reminders that this dashboard planned, counted as in the service's results: all
 * reminders of a subscription between two payments are one case, which counts from the last of
 * them.
 * @param since,until ISO times from which reminders count, and until which payments are known
 */
export async function readPaidAfter(
  db: Database,
  { seller_id, mode }: KeyOwner,
  { since, until }: { since: string; until: string },
): Promise<Pick<ScheduleResults, "reminded" | "paid" | "paid_within">> {
  const { rows } = await db.query<{ sent_at: Date; paid_at: Date | null }>(
    `select distinct on (r.subscription_id, p.id) r.sent_at, p.seen_at as paid_at
       from planned_reminder r
       ${paymentAfter("r", "r.sent_at")}
      where r.seller_id = $1 and r.mode = $2 and r.sent_at >= $3 and r.state in ${SENT}
      order by r.subscription_id, p.id, r.sent_at desc`,
    [seller_id, mode, since],
  );
  const daysUntil = (from: Date, to: Date) => (to.getTime() - from.getTime()) / DAY_MS;
  return {
    reminded: rows.length,
    paid: rows.filter(({ paid_at }) => paid_at !== null).length,
    paid_within: PAYMENT_WINDOWS.map((days) => {
      const old = rows.filter(({ sent_at }) => daysUntil(sent_at, new Date(until)) >= days);
      const isIn = ({ sent_at, paid_at }: (typeof rows)[number]) =>
        paid_at !== null && daysUntil(sent_at, paid_at) <= days;
      return { days, paid: old.filter(isIn).length, of: old.length };
    }),
  };
}
