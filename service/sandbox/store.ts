import type { Database } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";
import type { SubscriptionRow } from "../subscriptions/store.ts";
import type { ScenarioName } from "./scenarios.ts";

export type TimedRow = Pick<
  SubscriptionRow,
  "subscription_id" | "status" | "next_billing_cycle" | "is_one_time"
>;

/** In the order in which time comes to them. */
export async function selectTimedUntil(
  database: Database,
  sellerId: number,
  until: Date,
): Promise<TimedRow[]> {
  const { rows } = await database.query<TimedRow>(
    `select subscription_id, status, next_billing_cycle, is_one_time from subscription
     where seller_id = $1 and next_transition_at <= $2 order by position`,
    [sellerId, until],
  );
  return rows;
}

export interface NextRow {
  subscription_id: string;
  next_transition_at: Date;
}

/** Those that move next, all at one moment; none where nothing moves by then. */
export async function selectNext(
  database: Database,
  sellerId: number,
  { until, except, limit }: { until: Date; except: string[]; limit: number },
): Promise<NextRow[]> {
  const { rows } = await database.query<NextRow>(
    `select subscription_id, next_transition_at from subscription
     where seller_id = $1 and subscription_id <> all ($3) and next_transition_at = (
       select min(next_transition_at) from subscription
       where seller_id = $1 and next_transition_at <= $2 and subscription_id <> all ($3))
     order by position limit $4`,
    [sellerId, until, except, limit],
  );
  return rows;
}

export async function findNextMoment(
  database: Database,
  sellerId: number,
): Promise<Date | null> {
  const { rows } = await database.query<{ next: Date | null }>(
    `select min(next_transition_at) as next from subscription
     where seller_id = $1 and next_transition_at is not null`,
    [sellerId],
  );
  return rows[0]?.next ?? null;
}

/** Forward only: of two who move it at once, the farther wins. */
export async function moveClockTo(
  database: Database,
  { seller_id }: Pick<Seller, "seller_id">,
  { target, realNow }: { target: Date; realNow: Date },
): Promise<void> {
  await database.query(
    "update seller set clock_offset_ms = greatest(clock_offset_ms, $2) where seller_id = $1",
    [seller_id, target.getTime() - realNow.getTime()],
  );
}

export async function setClockRight(database: Database, sellerId: number): Promise<void> {
  await database.query("update seller set clock_offset_ms = 0 where seller_id = $1", [
    sellerId,
  ]);
}

export async function setScenario(
  database: Database,
  sellerId: number,
  name: ScenarioName | null,
): Promise<void> {
  await database.query("update seller set sandbox_scenario = $2 where seller_id = $1", [
    sellerId,
    name,
  ]);
}

export async function findScenario(
  database: Database,
  sellerId: number,
): Promise<ScenarioName | null> {
  const { rows } = await database.query<{ sandbox_scenario: ScenarioName | null }>(
    "select sandbox_scenario from seller where seller_id = $1",
    [sellerId],
  );
  return rows[0]?.sandbox_scenario ?? null;
}
