import "server-only";
import { addDays, daysBetween } from "#lib/format/calendar.ts";
import type { Database } from "#lib/db/pool.ts";
import { singleRow } from "#lib/db/pool.ts";
import { CHANGE_KINDS } from "#lib/search-index/query/conditions.ts";
import { ReportStatement, type ReportFrame, type TimeInterval } from "./report-statement.ts";
import type {
  Checkouts,
  Collected,
  ComparedCount,
  ListParameters,
  Movement,
  PaymentSums,
} from "./queries.ts";
import { sumPayments } from "./rules.ts";

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

const within = (statement: ReportStatement, moment: string, { start, end }: TimeInterval) =>
  `(${moment} >= ${statement.bind(start)} and ${moment} < ${statement.bind(end)})`;

/** SQL conditions on a change, for each kind of event. */
const MOVEMENT_EVENTS = {
  begun: CHANGE_KINDS.started,
  cancelled: "c.is_lost and c.new_status = 'cancelled'",
  inactive: "c.is_lost and c.new_status = 'inactive'",
  lost: CHANGE_KINDS.lost,
  resumed: "c.is_resumed",
  paid_when_due: "c.is_renewal and c.old_status = 'due'",
  saved: CHANGE_KINDS.saved,
} as const;
type MovementEvent = keyof typeof MOVEMENT_EVENTS;
const NAMES = Object.keys(MOVEMENT_EVENTS) as MovementEvent[];

type Counts = Record<MovementEvent | `${MovementEvent}_before`, number>;
type DayCounts = Record<"begun" | "lost" | "saved", number> & { day: string };

/** Counts each subscription once per kind of event; a day counts the events of that day. */
export async function readMovement(db: Database, frame: ReportFrame): Promise<Movement> {
  const statement = new ReportStatement(frame);
  const [now, before] = [frame.within, frame.earlier].map((interval) =>
    within(statement, "seen_at", interval),
  );
  const flags = NAMES.map((name) => `${MOVEMENT_EVENTS[name]} as ${name}`).join(", ");
  const once = NAMES.flatMap((name) => [
    `count(distinct subscription_id) filter (where ${name} and ${now})::integer as ${name}`,
    `count(distinct subscription_id) filter (where ${name} and ${before})::integer
       as ${name}_before`,
  ]).join(", ");
  const days = (["begun", "lost", "saved"] as const)
    .map((name) => `count(*) filter (where ${name})::integer as ${name}`)
    .join(", ");
  const sql = `with ${statement.counted()},
    happened as materialized (
      select c.subscription_id, c.seen_at, ${flags}
        from subscription_change c
       where c.seller_id = $1 and c.mode = $2 and ${statement.isCounted("c.subscription_id")}
         and (c.is_first_payment or c.is_lost or c.is_resumed
              or c.is_renewal and c.old_status = 'due')
         and (${within(statement, "c.seen_at", frame.within)}
              or ${within(statement, "c.seen_at", frame.earlier)}))
    select (select to_jsonb(counts) from (select ${once} from happened) as counts) as counts,
           (select coalesce(jsonb_agg(days), '[]') from
             (select ${statement.dayOf("seen_at")} as day, ${days} from happened
               where ${now} group by 1) as days) as days`;
  const { counts, days: seen } = singleRow(
    await statement.ask<{ counts: Counts; days: DayCounts[] }>(db, sql),
  );
  const created = await readCreated(db, frame);
  const compared = (name: MovementEvent, rows: ListParameters | null): ComparedCount => ({
    count: counts[name],
    before: frame.earlier.isKnown ? counts[`${name}_before`] : null,
    rows,
  });
  return {
    created: { count: created.count, before: created.before, rows: happened(frame, "created") },
    begun: compared("begun", happened(frame, "started")),
    lost: compared("lost", happened(frame, "lost")),
    cancelled: compared("cancelled", happened(frame, "lost", { status: "cancelled" })),
    inactive: compared("inactive", happened(frame, "lost", { status: "inactive" })),
    saved: compared("saved", happened(frame, "saved")),
    resumed: compared("resumed", null),
    paid_when_due: compared("paid_when_due", null),
    days: daysOf(frame, seen, created.days),
  };
}

function daysOf(
  { period, known_day }: ReportFrame,
  seen: DayCounts[],
  created: Map<string, number>,
): Movement["days"] {
  const ofDay = new Map(seen.map((one) => [one.day, one]));
  return Array.from({ length: daysBetween(period.from, period.to) + 1 }, (_, at) => {
    const day = addDays(period.from, at);
    // On the first day of the index only some changes are known.
    const known = day < known_day ? null : (ofDay.get(day) ?? NOTHING);
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
  const sql = `with ${statement.counted("indexed_subscription")}
    select ${statement.dayOf("created_at")}::text as day, count(*)::integer as count
      from counted
     where not is_one_time and (${within(statement, "created_at", frame.within)}
       or ${within(statement, "created_at", frame.earlier)})
     group by 1`;
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

type CheckoutName = "created" | "finished" | "unpaid";

/** Counts checkouts; includes those of one-time purchases. */
export async function readCheckouts(db: Database, frame: ReportFrame): Promise<Checkouts> {
  const statement = new ReportStatement(frame);
  const sql = `with ${statement.counted("indexed_subscription")}
    select ${within(statement, "created_at", frame.within)} as is_now,
           count(*)::integer as created,
           count(*) filter (where status <> 'pending_checkout')::integer as finished,
           count(*) filter (where status = 'pending_checkout')::integer as unpaid
      from counted
     where ${within(statement, "created_at", frame.within)}
        or ${within(statement, "created_at", frame.earlier)}
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
  const sql = `with ${statement.counted("indexed_subscription")}
    select count(*)::integer as count from counted where status = 'pending_checkout'`;
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

/** @param lasting columns of the row to group by */
async function readPaymentEvents<Row extends TakingsRow>(
  db: Database,
  frame: ReportFrame,
  lasting: readonly string[],
): Promise<Row[]> {
  const statement = new ReportStatement(frame);
  const keys = ["currency", "is_now", ...lasting].join(", ");
  const isJoined = lasting.length > 0;
  const sql = `with ${statement.counted()},
    paid as (
      select ${lasting.map((name) => `r.${name}, `).join("")} coalesce(p.currency, '') as currency,
             p.amount, p.fee, p.net, ${within(statement, "p.paid_at", frame.within)} as is_now
        from proof p ${isJoined ? "join counted r on r.id = p.subscription_id" : ""}
       where p.seller_id = $1 and p.mode = $2 and p.amount is not null
         and ${isJoined ? "true" : statement.isAsked("p.subscription_id")}
         and (${within(statement, "p.paid_at", frame.within)}
              or ${within(statement, "p.paid_at", frame.earlier)}))
    select ${keys}, count(*)::integer as payments, sum(amount)::text as amount,
           sum(fee)::text as fee, sum(net)::text as net
      from paid group by ${keys}`;
  return statement.ask<Row>(db, sql);
}

export async function readCollected(db: Database, frame: ReportFrame): Promise<Collected> {
  const statement = new ReportStatement(frame);
  const sql = `with ${statement.counted()}
    select count(distinct p.subscription_id)::integer as subscriptions,
           count(*) filter (where p.amount is null)::integer as unpriced,
           (select count(*)::integer from subscription_change c
             where c.seller_id = $1 and c.mode = $2 and not ${CHANGE_KINDS.paid}
               and c.old_status = 'active' and c.new_status = 'active'
               and c.new_next_billing > c.old_next_billing
               and ${statement.isAsked("c.subscription_id")}
               and ${within(statement, "c.seen_at", frame.within)}) as moved
      from proof p
     where p.seller_id = $1 and p.mode = $2 and ${statement.isAsked("p.subscription_id")}
       and ${within(statement, "p.paid_at", frame.within)}`;
  const { subscriptions, unpriced, moved } = singleRow(
    await statement.ask<Record<"subscriptions" | "unpriced" | "moved", number>>(db, sql),
  );
  const takings = await readPaymentRows(db, frame);
  const currencies = [...new Set(takings.map(({ currency }) => currency))].toSorted();
  const sum = (currency: string, isNow: boolean) =>
    sumPayments(takings.filter((row) => row.currency === currency && row.is_now === isNow));
  return {
    currencies: currencies.map((currency) => ({
      currency,
      ...sum(currency, true),
      before: frame.earlier.isKnown ? sum(currency, false) : null,
    })),
    subscriptions: { count: subscriptions, rows: happened(frame, "paid") },
    moved,
    unpriced,
  };
}
