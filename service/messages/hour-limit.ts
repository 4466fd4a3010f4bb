import { MESSAGE_WAITS } from "#contract/field-messages.ts";
import { queryRow, type Database } from "../db/database.ts";

const HOUR = 3_600_000;

const hourOf = (at: Date) => new Date(Math.floor(at.getTime() / HOUR) * HOUR);

/** SQL: whether the stored hour is over, or so far ahead that a wrong clock must have stored it. */
const IS_OVER = "(h.hour < $2 or h.hour > $2::timestamptz + interval '1 hour')";

/**
 * Counts a message that is about to be sent, for all processes together.
 * @param most messages an hour; 0 for no limit
 * @returns null if it may be sent, else when the next ones may
 */
export async function takeOfHour(
  database: Database,
  sellerId: number,
  { now, most }: { now: Date; most: number },
): Promise<Date | null> {
  if (most === 0) return null;
  const hour = hourOf(now);
  const taken = await queryRow(
    database,
    `insert into message_hour as h (seller_id, hour, begun) values ($1, $2, 1)
     on conflict (seller_id) do update
       set hour = case when ${IS_OVER} then $2 else h.hour end,
         begun = case when ${IS_OVER} then 1 else h.begun + 1 end
       where ${IS_OVER} or h.begun < $3
     returning 1 as taken`,
    [sellerId, hour, most],
  );
  return taken ? null : new Date(hour.getTime() + HOUR);
}

/** When messages that wait for the limit may be sent; null while it is not reached. */
export async function hourLimitUntil(
  database: Database,
  sellerId: number,
  { now, most }: { now: Date; most: number },
): Promise<Date | null> {
  const hour = hourOf(now);
  const full =
    most > 0 &&
    (await queryRow(
      database,
      `select 1 as full from message_hour h
       where h.seller_id = $1 and not ${IS_OVER} and h.begun >= $3`,
      [sellerId, hour, most],
    ));
  return full ? new Date(hour.getTime() + HOUR) : null;
}

type Waiting = {
  kind: string;
  state: string;
  due_at: Date | string | null;
  error: string | null;
  error_code: string | null;
};

/** Returns the messages, with an error in those that are due but wait for the hour's limit. */
export async function sayWaiting<Row extends Waiting>(
  database: Database,
  sellerId: number,
  rows: Row[],
  limit: { now: Date; most: number },
): Promise<Row[]> {
  const isWaiting = ({ kind, state, due_at }: Row) =>
    state === "queued" && kind !== "code" && due_at !== null && new Date(due_at) <= limit.now;
  if (!rows.some(isWaiting)) return rows;
  const until = await hourLimitUntil(database, sellerId, limit);
  const said = { error: MESSAGE_WAITS.hour_limit, error_code: "hour_limit" };
  return until ? rows.map((row) => (isWaiting(row) ? { ...row, ...said } : row)) : rows;
}
