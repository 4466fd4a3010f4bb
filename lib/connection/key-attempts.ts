import "server-only";
import type pg from "pg";
import { reserveAttempt } from "#lib/auth/credentials/throttle.ts";
import type { KeyCheck } from "#lib/billing/key-check-result.ts";
import { AppError } from "#lib/failure.ts";
import { waitInUnits } from "#lib/format/format.ts";
import { message } from "#lib/i18n/message.ts";

/**
 * Limits how many refused keys one user may try: the billing service counts each refusal against this
 * server's address, which all sellers share. @throws AppError `conflict` after too many
 */
export async function limitRefusedKeys(
  pool: pg.Pool,
  user_id: string,
  now: Date,
  tryIt: () => Promise<KeyCheck>,
): Promise<KeyCheck> {
  const subject = { limit: "account_here", of: [user_id, "api key"] } as const;
  const { wait_seconds, release } = await reserveAttempt(pool, [subject], now);
  if (wait_seconds > 0) {
    const detail = message("failures.keyTries", waitInUnits(wait_seconds));
    throw new AppError({ kind: "conflict", detail });
  }
  const finding = await tryIt();
  if (finding.kind !== "refused") await release();
  return finding;
}
