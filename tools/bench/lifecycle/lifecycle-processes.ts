import { abandonCheckouts } from "../../../service/checkout/abandon.ts";
import { openPool } from "../../../service/db/database.ts";
import { sweepLifecycle } from "../../../service/lifecycle/sweep.ts";

export type SweepKind = "subscriptions" | "checkouts";
/** The message of `tools/bench/lifecycle.ts` to a worker: run one sweep at that time. */
export interface SweepCommand {
  databaseUrl: string;
  kind: SweepKind;
  now: string;
}
export interface SweepResult {
  moved: number;
}

/** Runs one sweep. @returns how many subscriptions it changed or marked as abandoned */
export const sweepOnce = (pool: ReturnType<typeof openPool>, kind: SweepKind, now: Date) =>
  kind === "subscriptions"
    ? sweepLifecycle({ pool, now: () => now })
    : abandonCheckouts(pool, now);

process.on("message", ({ databaseUrl, kind, now }: SweepCommand) => {
  const pool = openPool(databaseUrl);
  void sweepOnce(pool, kind, new Date(now)).then(async (moved) => {
    await pool.end();
    process.send?.({ moved } satisfies SweepResult);
  });
});
