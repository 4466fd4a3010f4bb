import type { BulkContext } from "#lib/subscriptions/bulk/run-step.ts";
import { insertRun, selectRun } from "#lib/subscriptions/bulk/data.ts";
import type { Settlement } from "#lib/subscriptions/goodwill/rules.ts";
import type { Aim, BulkRecord } from "#lib/subscriptions/bulk/rules.ts";
import { clientOf } from "./billing-server.ts";
import { pool } from "./dashboard-database.ts";
import { createPerson } from "./person.ts";

const NOW = "2026-11-20T10:00:00Z";
const ZONE = "Asia/Kathmandu";
export const CANCEL: Aim = { operation: "cancel" };
export const A_WEEK: Aim = { operation: "reschedule", to: "shift", days: 7 };

export const ACTIVE = {
  status: "active",
  current_period_start: "2026-11-01T00:00:00Z",
  current_period_end: "2026-12-01T00:00:00Z",
  next_billing_cycle: "2026-12-01T00:00:00Z",
};
export type State = typeof ACTIVE;
export const ENDING: State = { ...ACTIVE, status: "pending_cancellation" };

/** Creates a new seller and returns what a step of a bulk change needs. */
export async function newBulkFixture(): Promise<BulkContext> {
  const { rows } = await pool.query<{ id: string }>(
    "insert into seller (name, time_zone) values ('Phewa', $1) returning id",
    [ZONE],
  );
  const owner = { seller_id: rows[0]?.id ?? "", mode: "test" as const };
  const user = { ...(await createPerson(pool)), name: "Asha" };
  const seller = { time_zone: ZONE };
  const scope = { seller: owner.seller_id, mode: owner.mode };
  return {
    db: pool,
    billing: clientOf(),
    owner,
    scope,
    now: NOW,
    time_zone: ZONE,
    seller,
    user,
  };
}

/** Stores a run over records s1, s2, … @returns its id */
export async function begin(
  { owner, user }: Awaited<ReturnType<typeof newBulkFixture>>,
  aim: Aim,
  records: Partial<BulkRecord>[] = [{}],
  undo_of: string | null = null,
  settlement: Settlement | null = null,
): Promise<string> {
  const signedIn = { owner, user, seller: { time_zone: ZONE }, now: NOW };
  const items = records.map((record, at) => ({
    subscription_id: `s${at + 1}`,
    buyer: `Buyer ${at + 1}`,
    ...ACTIVE,
    ...record,
  }));
  const run = { aim, undo_of, settlement };
  return insertRun(pool, signedIn as Parameters<typeof insertRun>[1], run, items);
}

export async function statesOf({ owner }: BulkContext, id: string) {
  return (await selectRun(pool, owner, id)).items.map(({ state }) => state);
}
