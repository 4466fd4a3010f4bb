import type { PlannedReminders } from "#contract/reminders.ts";
import type { PlannedState, SendingChannel } from "#contract/names.ts";
import {
  readPlannedPage,
  type PlannedPart,
  type PlannedPlace,
} from "#contract/process/planned-page.ts";
import { queryRows, type Database } from "../db/database.ts";
import { sayWaiting } from "../messages/hour-limit.ts";
import type { Seller } from "../sellers/store.ts";
import { dayIn } from "#contract/process/local-day.ts";
import { runMoment, runsToCome, type Run } from "#contract/process/reminder-calendar.ts";
import { countedRows, holdsSql, isRunEnded, selectPlanned } from "./plan-store.ts";
import type { Schedule } from "./schedule-store.ts";

interface Day {
  schedule: Schedule;
  seller: Seller;
  /** YYYY-MM-DD */
  day: string;
  /** Time of the seller's clock. */
  now: Date;
  /** A page after a cursor; null for the first one. */
  page: { after: PlannedPlace | null; size: number };
  /** The seller's limit of messages; `now` is real time. */
  limit: { now: Date; most: number };
}

type Row = PlannedReminders["results"][number];
type Part = PlannedPart<{ row: Row }>;

/** A day's reminders: planned, sent and held. */
export async function plannedReminders(
  database: Database,
  { schedule, seller, day, now, page, limit: ofHour }: Day,
): Promise<PlannedReminders> {
  const runs =
    schedule.is_on && seller.kyc_verified
      ? runsToCome(schedule, seller, { day: Temporal.PlainDate.from(day), now })
      : [];
  const readRun = async (run: Run, ...page: Page): Promise<Part> => {
    if (await isRunEnded(database, seller.seller_id, run))
      return { count: 0, held: 0, rows: [] };
    const part = await selectPlanned(database, seller.seller_id, run, ...page);
    return {
      ...part,
      rows: part.rows.map(({ moment, channel, phone, email, hold_id, ...row }) => ({
        moment,
        id: row.subscription_id,
        row: {
          step_id: run.step.step_id,
          subscription_id: row.subscription_id,
          full_name: row.full_name,
          at: runMoment(schedule, seller, run, { moment, now }).toISOString(),
          channel: channel as SendingChannel | null,
          to: channel === "email" || phone === "" ? email : phone,
          state: hold_id === null ? "planned" : "held",
          error: null,
          error_code: null,
          hold_id,
          message_id: null,
        },
      })),
    };
  };
  const { results, ...found } = await readPlannedPage(
    [
      {
        section: 0,
        read: async (...page) => {
          const { rows, ...counts } = await selectQueued(database, seller, day, ...page);
          const said = await sayWaiting(database, seller.seller_id, rows, ofHour);
          return { ...counts, rows: said.map(presentQueued) };
        },
      },
      ...runs
        .toSorted((one, other) => one.at.getTime() - other.at.getTime())
        .map((run) => ({
          section: run.step.step_id,
          read: (...page: Page) => readRun(run, ...page),
        })),
    ],
    page,
  );
  return { day, is_on: schedule.is_on, ...found, results: results.map(({ row }) => row) };
}

type Page = [after: Pick<PlannedPlace, "moment" | "id"> | null, limit: number];

interface QueuedRow extends Omit<Row, "at" | "state" | "message_id"> {
  at: Date;
  state: PlannedState;
  message_id: string;
  kind: "reminder";
  planned_at: Date;
  due_at: Date;
}

const presentQueued = ({ kind: _kind, due_at: _due, planned_at, at, ...row }: QueuedRow) => ({
  moment: planned_at,
  id: row.message_id,
  row: { ...row, at: at.toISOString() },
});

/** A day's reminders that were queued, whatever became of them, in the order of their planning. */
async function selectQueued(
  database: Database,
  { seller_id, time_zone }: Seller,
  day: string,
  ...[after, limit]: Page
): Promise<{ count: number; held: number; rows: QueuedRow[] }> {
  const [from, to] = dayIn(day, time_zone);
  const rows = await queryRows<QueuedRow & { count: number; held: number }>(
    database,
    `with found as materialized (
       select r.step_id, r.subscription_id, s.full_name, coalesce(r.sent_at, r.planned_at) as at,
         c.channel, case when c.channel = 'email' or m.phone = '' then m.email else m.phone end as to,
         case when h.hold_id is null then m.state else 'held' end as state, m.error, m.error_code,
         h.hold_id, m.message_id, m.kind, r.planned_at, m.next_at as due_at
       from reminder r join message m using (seller_id, message_id)
       join subscription s
         on s.seller_id = r.seller_id and s.subscription_id = r.subscription_id
       left join message_channel c
         on c.seller_id = r.seller_id and c.channel_id = m.channel_id
       ${heldWhileQueuedSql("$4::date")}
       where r.seller_id = $1 and r.planned_at >= $2 and r.planned_at < $3)
     select counted.count, counted.held, page.* from (
       select count(*) filter (where state not in ('held', 'withdrawn', 'failed', 'expired'))::int as count,
         count(*) filter (where state = 'held')::int as held from found) counted
     left join (
       select * from found where $5::timestamptz is null or (planned_at, message_id) > ($5, $6::uuid)
       order by planned_at, message_id limit $7) page on true
     order by page.planned_at, page.message_id`,
    [seller_id, from, to, day, after?.moment ?? null, after?.id ?? null, limit],
  );
  return countedRows(rows, ({ message_id }) => message_id !== null);
}

/** SQL: the hold h of a queued reminder, because of which it will be withdrawn instead of sent. */
const heldWhileQueuedSql = (day: string) => `left join lateral (
    select h.hold_id from reminder_hold h
    where m.state = 'queued' and ${holdsSql({ seller: "$1", day, step: "r.step_id" })} limit 1) h on true`;
