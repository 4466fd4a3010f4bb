import "server-only";
import { addDays, daysBetween } from "#lib/format/calendar.ts";
import type { Database } from "#lib/db/pool.ts";
import { singleRow } from "#lib/db/pool.ts";
import {
  MOVEMENT_KINDS,
  RECURRING,
  ReportStatement,
  type MovementKind,
  type ReportFrame,
} from "./report-statement.ts";
import type {
  Checkouts,
  Collected,
  ComparedCount,
  LeavingReport,
  ListParameters,
  Movement,
  PaymentSums,
} from "./queries.ts";
import { sumAmounts, sumPayments } from "./rules.ts";
import type { GivenBack } from "#lib/money/payable.ts";

/** List parameters for events within the period. */
const happened = (
  frame: ReportFrame,
  field: string,
  more: ListParameters = {},
): ListParameters => ({
  ...frame.narrowed,
  [`${field}_from`]: frame.period.from,
  [`${field}_to`]: frame.period.to,
  ...more,
});

type Counts = Record<MovementKind | `${MovementKind}_before`, number>;
type DayCounts = Record<"begun" | "lost" | "saved", number> & { day: string };

interface MovementDay {
  kind: MovementKind;
  day: string;
  events: number;
  /**
   * The events after which their subscription had no other of this kind until the end of the period;
   * `last_before`: until the end of the period before.
   */
  last: number;
  last_before: number;
}

/** Counts each subscription once per kind of event; a day counts the events of that day. */
export async function readMovement(db: Database, frame: ReportFrame): Promise<Movement> {
  const { period, before } = frame;
  const statement = new ReportStatement(frame);
  const lastBy = (day: string) =>
    `coalesce(sum(n) filter (where until > ${statement.bind(day)}::date), 0)::integer`;
  const rows = await statement.ask<MovementDay>(
    db,
    `select kind, day::text, sum(n)::integer as events, ${lastBy(period.to)} as last,
            ${lastBy(before.to)} as last_before
       from ${statement.recurringSumsOf(...MOVEMENT_KINDS)}
        and ${statement.dayIn({ from: before.from, to: period.to })}
      group by kind, day`,
  );
  const counts = {} as Counts;
  for (const kind of MOVEMENT_KINDS) {
    const own = rows.filter((row) => row.kind === kind);
    const sum = (isCounted: (day: string) => boolean, name: "last" | "last_before") =>
      own.filter(({ day }) => isCounted(day)).reduce((all, row) => all + row[name], 0);
    counts[kind] = sum((day) => day >= period.from, "last");
    counts[`${kind}_before`] = sum((day) => day <= before.to, "last_before");
  }
  const seen = new Map<string, DayCounts>();
  for (const { kind, day, events } of rows)
    if (kind === "begun" || kind === "lost" || kind === "saved")
      seen.getOrInsertComputed(day, () => ({ ...NOTHING, day }))[kind] += events;
  const created = await readCreated(db, frame);
  const list = (field: string, more: ListParameters = {}) =>
    happened(frame, field, { ...RECURRING, ...more });
  const compared = (name: MovementKind, rows: ListParameters | null): ComparedCount => ({
    count: counts[name],
    before: frame.earlier.isKnown ? counts[`${name}_before`] : null,
    rows,
  });
  return {
    created: { count: created.count, before: created.before, rows: list("created") },
    begun: compared("begun", list("started")),
    lost: compared("lost", list("lost")),
    cancelled: compared("cancelled", list("lost", { status: "cancelled" })),
    inactive: compared("inactive", list("lost", { status: "inactive" })),
    saved: compared("saved", list("saved")),
    resumed: compared("resumed", null),
    paid_when_due: compared("paid_when_due", null),
    days: daysOf(frame, seen, created.days),
  };
}

function daysOf(
  { period, known_day }: ReportFrame,
  seen: Map<string, DayCounts>,
  created: Map<string, number>,
): Movement["days"] {
  return Array.from({ length: daysBetween(period.from, period.to) + 1 }, (_, at) => {
    const day = addDays(period.from, at);
    // The first day of the index is shown too, though only some of its changes are known.
    const known = day < known_day ? null : (seen.get(day) ?? NOTHING);
    return {
      day,
      created: created.get(day) ?? 0,
      begun: known && known.begun,
      lost: known && known.lost,
      saved: known && known.saved,
    };
  });
}

const NOTHING = { begun: 0, lost: 0, saved: 0 };

async function readCreated(db: Database, frame: ReportFrame) {
  const statement = new ReportStatement(frame);
  const sql = `select day::text, sum(n)::integer as count from ${statement.recurringSumsOf("created")}
     and ${statement.dayIn({ from: frame.before.from, to: frame.period.to })} group by day`;
  const rows = await statement.ask<{ day: string; count: number }>(db, sql);
  const sum = (from: string, to: string) =>
    rows
      .filter(({ day }) => from <= day && day <= to)
      .reduce((all, { count }) => all + count, 0);
  return {
    count: sum(frame.period.from, frame.period.to),
    before: sum(frame.before.from, frame.before.to),
    days: new Map(rows.map(({ day, count }) => [day, count])),
  };
}

/** Counts each subscription once: a second cancellation replaces the reason of the first. */
export async function readLeaving(db: Database, frame: ReportFrame): Promise<LeavingReport> {
  const statement = new ReportStatement(frame);
  const [start, end] = [statement.bind(frame.within.start), statement.bind(frame.within.end)];
  const earlier = statement.bind(frame.earlier.start);
  const reasons = await statement.ask<LeavingReport["reasons"][number]>(
    db,
    `select c.detail->>'reason' as reason,
            (count(*) filter (where c.at >= ${start}))::integer as count,
            (count(*) filter (where c.at < ${start}))::integer as before
       from contact c join indexed_subscription s
         on s.seller_id = c.seller_id and s.mode = c.mode and s.id = c.subscription_id
      where c.seller_id = $1 and c.mode = $2 and c.kind = 'leave' and c.undone_at is null
        and c.at >= ${earlier} and c.at < ${end}
        and s.status in ('pending_cancellation', 'cancelled', 'inactive') and ${statement.isAsked()}
      group by 1 order by 2 desc, 3 desc, 1 nulls last`,
  );
  return { reasons };
}

type CheckoutName = "created" | "finished" | "unpaid";

/** Counts checkouts; includes those of one-time purchases. */
export async function readCheckouts(db: Database, frame: ReportFrame): Promise<Checkouts> {
  const statement = new ReportStatement(frame);
  const sql = `select ${statement.dayIn(frame.period)} as is_now, sum(n)::integer as created,
            coalesce(sum(n) filter (where status <> 'pending_checkout'), 0)::integer as finished,
            coalesce(sum(n) filter (where status = 'pending_checkout'), 0)::integer as unpaid
       from ${statement.sumsOf("created")}
        and ${statement.dayIn({ from: frame.before.from, to: frame.period.to })}
      group by 1`;
  const rows = await statement.ask<Record<CheckoutName, number> & { is_now: boolean }>(db, sql);
  const count = (name: CheckoutName, isNow: boolean) =>
    rows.find(({ is_now }) => is_now === isNow)?.[name] ?? 0;
  const compared = (name: CheckoutName, listed: ListParameters | null): ComparedCount => ({
    count: count(name, true),
    before: count(name, false),
    rows: listed,
  });
  const created = happened(frame, "created");
  const status = "pending_checkout";
  return {
    created: compared("created", created),
    finished: compared("finished", null),
    unpaid: compared("unpaid", { ...created, status }),
    waiting: { count: await countWaiting(db, frame), rows: { ...frame.narrowed, status } },
  };
}

/** All waiting checkouts, whatever their date, as on every other page. */
async function countWaiting(db: Database, frame: ReportFrame): Promise<number> {
  const statement = new ReportStatement(frame);
  const sql = `select coalesce(sum(n), 0)::integer as count
      from ${statement.sumsOf("current")} and status = 'pending_checkout'`;
  return singleRow(await statement.ask<{ count: number }>(db, sql)).count;
}

interface TakingsRow extends PaymentSums {
  currency: string;
  is_now: boolean;
}

/** Payments of the period and the one before. */
export const readPaymentRows = async (
  db: Database,
  frame: ReportFrame,
): Promise<TakingsRow[]> => readPaymentEvents<TakingsRow>(db, frame, []);

interface PlanTakings extends TakingsRow {
  product_id: string;
  product_name: string;
  plan_name: string;
}

export const readPlanPaymentRows = async (
  db: Database,
  frame: ReportFrame,
): Promise<PlanTakings[]> =>
  readPaymentEvents<PlanTakings>(db, frame, ["product_id", "product_name", "plan_name"]);

/** @param lasting columns of the subscription to group by */
async function readPaymentEvents<Row extends TakingsRow>(
  db: Database,
  frame: ReportFrame,
  lasting: readonly string[],
): Promise<Row[]> {
  const statement = new ReportStatement(frame);
  const keys = ["currency", ...lasting].join(", ");
  const sql = `select ${keys}, ${statement.dayIn(frame.period)} as is_now,
            sum(n)::integer as payments, sum(amount)::text as amount, sum(fee)::text as fee,
            sum(net)::text as net
       from ${statement.sumsOf("paid")} and status = 'priced'
        and ${statement.dayIn({ from: frame.before.from, to: frame.period.to })}
        ${lasting.length > 0 ? "and product_id is not null" : ""}
      group by ${keys}, is_now having sum(n) > 0`;
  return statement.ask<Row>(db, sql);
}

export async function readCollected(db: Database, frame: ReportFrame): Promise<Collected> {
  const statement = new ReportStatement(frame);
  const sumWhere = (condition: string) =>
    `coalesce(sum(n) filter (where ${condition}), 0)::integer`;
  const sql = `
    select ${sumWhere(`kind = 'paid' and until > ${statement.bind(frame.period.to)}::date`)} as subscriptions,
           ${sumWhere("status = 'unpriced'")} as unpriced, ${sumWhere("kind = 'moved'")} as moved
      from ${statement.sumsOf("paid", "moved")} and ${statement.dayIn(frame.period)}`;
  const { subscriptions, unpriced, moved } = singleRow(
    await statement.ask<Record<"subscriptions" | "unpriced" | "moved", number>>(db, sql),
  );
  const takings = await readPaymentRows(db, frame);
  const givenBack = await readGivenBack(db, frame);
  const currencies = [...new Set(takings.map(({ currency }) => currency))].toSorted();
  const sum = (currency: string, isNow: boolean) =>
    sumPayments(takings.filter((row) => row.currency === currency && row.is_now === isNow));
  return {
    currencies: currencies.map((currency) => ({
      currency,
      ...sum(currency, true),
      before: frame.earlier.isKnown || frame.hasAllPayments ? sum(currency, false) : null,
      ...backOf(givenBack, currency, sum(currency, true).net),
    })),
    subscriptions: { count: subscriptions, rows: happened(frame, "paid") },
    moved,
    unpriced,
  };
}

/** The refunds and reversals of the period's payments, by currency. Few payments have any. */
async function readGivenBack(db: Database, frame: ReportFrame) {
  const statement = new ReportStatement(frame);
  const { start, end } = frame.within;
  const sql = `
    select coalesce(p.currency, '') as currency, sum(d.refunded)::text as refunded,
           coalesce(sum(p.amount) filter (where d.reversed_at is not null), 0.00)::text as reversed,
           (sum(d.refunded) + coalesce(sum(p.net) filter (where d.reversed_at is not null), 0))::text
             as gone
      from payment_detail d
      join proof p on p.seller_id = d.seller_id and p.mode = d.mode
       and p.subscription_id = d.subscription_id and p.payment_id = d.payment_id
     where d.seller_id = $1 and d.mode = $2 and (d.refunded > 0 or d.reversed_at is not null)
       and p.paid_at >= ${statement.bind(start)} and p.paid_at < ${statement.bind(end)}
       and p.amount is not null
       and (${frame.facets === null} or p.subscription_id in (
         select id from indexed_subscription
          where seller_id = $1 and mode = $2 and ${statement.isAsked()}))
     group by 1`;
  return statement.ask<Omit<GivenBack, "left"> & { currency: string; gone: string }>(db, sql);
}

function backOf(
  all: Awaited<ReturnType<typeof readGivenBack>>,
  currency: string,
  net: string,
): { given_back?: GivenBack } {
  const own = all.find((one) => one.currency === currency);
  if (!own) return {};
  const { refunded, reversed, gone } = own;
  return { given_back: { refunded, reversed, left: sumAmounts([net, `-${gone}`]) } };
}
