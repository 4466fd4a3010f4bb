import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { JobPause } from "#lib/db/lease.ts";
import { AppError } from "#lib/failure.ts";
import { stepCompare } from "#lib/search-index/compare/step.ts";
import { selectComparisons, startComparison } from "#lib/search-index/compare/store.ts";
import type { ChangingService } from "./servers/changing-service.ts";
import { expectIndexed, runSlice } from "./fixtures/search-index-fixture.ts";
import { pool } from "./dashboard-database.ts";
import type { Comparison } from "#lib/search-index/compare/differences.ts";

export const readOpenComparison = async (owner: KeyOwner) =>
  (await selectComparisons(pool, owner)).open;

export const readLastComparison = async (owner: KeyOwner) =>
  (await selectComparisons(pool, owner)).last;

export async function takeCompareStep(
  owner: KeyOwner,
  api: ChangingService,
): Promise<JobPause | null> {
  const open = await readOpenComparison(owner);
  return stepCompare({ db: pool, owner, api, calls: 2 }, open?.id ?? "");
}

/** Takes steps until one has to wait, as the page does. */
export async function stepUntilPause(owner: KeyOwner, api: ChangingService): Promise<JobPause> {
  for (let steps = 0; steps < 200; steps += 1) {
    const pause = await takeCompareStep(owner, api);
    if (pause) return pause;
  }
  throw new Error("the comparison does not end");
}

/** Runs a comparison from its start to its end. */
export async function compareAll(owner: KeyOwner, api: ChangingService): Promise<Comparison> {
  await startComparison(pool, owner, null);
  const pause = await stepUntilPause(owner, api);
  if (pause.kind === "stopped") throw new AppError(pause.failure);
  const last = await readLastComparison(owner);
  if (!last) throw new Error(`the comparison ended with ${JSON.stringify(pause)}`);
  return last;
}

/** Fills the index with subscriptions and one-time purchases. */
export async function fillIndex(
  owner: KeyOwner,
  api: ChangingService,
  count: number,
  once = 0,
) {
  api.fill(count);
  const nulls = {
    current_period_start: null,
    current_period_end: null,
    next_billing_cycle: null,
  };
  for (let made = 0; made < once; made += 1) api.create(nulls);
  await runSlice(owner, api);
  await expectIndexed(owner, api);
}

/** Changes an indexed row directly in the database. @param field such as "{client,phone}" */
export const changeIndexed = (owner: KeyOwner, id: string, field: string, value: string) =>
  pool.query(
    `update mirror_subscription
        set record = jsonb_set(record, $3, to_jsonb($4::text)),
            status = case when $3 = '{status}' then $4 else status end
      where seller_id = $1 and id = $2`,
    [owner.seller_id, id, field, value],
  );

/** Removes an indexed row directly in the database. */
export const removeIndexed = (owner: KeyOwner, id: string) =>
  pool.query("delete from mirror_subscription where seller_id = $1 and id = $2", [
    owner.seller_id,
    id,
  ]);
