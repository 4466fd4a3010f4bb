import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { AppError } from "#lib/failure.ts";
import { selectReconciliation, startCheck } from "#lib/search-index/compare/store.ts";
import type { Check, Halt } from "#lib/search-index/compare/queries.ts";
import type { Reach } from "#lib/search-index/compare/differences.ts";
import { stepCheck } from "#lib/search-index/compare/step.ts";
import type { ChangingService } from "./changing-service.ts";
import { expectCopied, turn } from "./copy-desk.ts";
import { pool } from "./dashboard.ts";

export const openCheck = async (owner: KeyOwner) =>
  (await selectReconciliation(pool, owner)).open;

export const lastCheck = async (owner: KeyOwner) =>
  (await selectReconciliation(pool, owner)).last;

export async function takeStep(owner: KeyOwner, api: ChangingService): Promise<Halt | null> {
  const open = await openCheck(owner);
  return stepCheck({ db: pool, owner, api, calls: 2 }, open?.id ?? "");
}

/** Steps until there is a reason not to, as a page does; the copy has its turns meanwhile. */
export async function stepOn(owner: KeyOwner, api: ChangingService): Promise<Halt> {
  for (let steps = 0; steps < 200; steps += 1) {
    const halt = await takeStep(owner, api);
    if (halt?.kind === "wait" && halt.why === "copy")
      await turn(owner, api, { newestEvery: 1_000 });
    else if (halt) return halt;
  }
  throw new Error("the comparison came to no end");
}

/** A comparison from its beginning to its end. */
export async function compareAll(
  owner: KeyOwner,
  api: ChangingService,
  reach: Reach = "all",
): Promise<Check> {
  await startCheck(pool, owner, { reach, user_id: null });
  const halt = await stepOn(owner, api);
  if (halt.kind === "stopped") throw new AppError(halt.failure);
  const last = await lastCheck(owner);
  if (!last) throw new Error(`the comparison ended as ${JSON.stringify(halt)}`);
  return last;
}

/** Fills the copy with so many subscriptions, and so many one-time purchases. */
export async function fillCopy(owner: KeyOwner, api: ChangingService, count: number, once = 0) {
  api.fill(count);
  const nulls = {
    current_period_start: null,
    current_period_end: null,
    next_billing_cycle: null,
  };
  for (let made = 0; made < once; made += 1) api.create(nulls);
  await turn(owner, api);
  await expectCopied(owner, api);
}

/** Makes the copied row wrong, as nothing in the program does. @param field "{client,phone}" */
export const spoilCopied = (owner: KeyOwner, id: string, field: string, value: string) =>
  pool.query(
    `update mirror_subscription
        set record = jsonb_set(record, $3, to_jsonb($4::text)),
            status = case when $3 = '{status}' then $4 else status end
      where seller_id = $1 and id = $2`,
    [owner.seller_id, id, field, value],
  );

/** Takes it out of the copy, as nothing in the program does. */
export const loseCopied = (owner: KeyOwner, id: string) =>
  pool.query("delete from mirror_subscription where seller_id = $1 and id = $2", [
    owner.seller_id,
    id,
  ]);
