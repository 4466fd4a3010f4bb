import { setTimeout as delay } from "node:timers/promises";
import { askAbout } from "./charges/ask.ts";
import { beginCharge } from "./charges/begin.ts";
import type { AnnouncedFailure } from "./charges/conclude.ts";
import { sendRefundOf } from "./charges/refund.ts";
import { selectCharges, type Charge } from "./charges/store.ts";
import type { PaymentContext } from "./provider.ts";
import { FIRST_CURSOR, selectAttempt, selectSandboxUnanswered, type Attempt } from "./store.ts";

const BATCH = 200;

type Id = Pick<Attempt, "subscription_id" | "attempt_id">;

/**
 * Takes an attempt as far as its provider can tell: begins a charge if it has none, asks about
 * those that are open, and records the results. Repeating it is safe; if the provider fails, a
 * later call asks again.
 * @returns the failure, if this call announced one
 */
export async function followUpAttempt(
  payments: PaymentContext,
  { subscription_id, attempt_id }: Id,
): Promise<AnnouncedFailure | null> {
  const attempt = await selectAttempt(payments.pool, subscription_id, attempt_id);
  if (!attempt || !["pending", "returning", "failed"].includes(attempt.state)) return null;
  const charges = await selectCharges(payments.pool, attempt);
  if (attempt.state === "pending" && !charges.some(isWaiting)) {
    await beginCharge(payments, attempt);
    return null;
  }
  let failure: AnnouncedFailure | null = null;
  for (const charge of charges) {
    if (isWaiting(charge) || isWatched(charge))
      failure = (await askAbout(payments, charge)) ?? failure;
    // The sandbox's money is given back here; all other refunds are made by a worker.
    if (attempt.state === "returning" && charge.account_id === null)
      await sendRefundOf(payments, charge);
  }
  return failure;
}

/** Asks about the charge from which a buyer came back, also if it had ended unpaid. */
export async function followUpCharge(payments: PaymentContext, charge: Charge): Promise<void> {
  if (isWaiting(charge) || isWatched(charge)) await askAbout(payments, charge);
}

/** Milliseconds that a page waits for providers; the answers are recorded also after that. */
const PAGE_TIMEOUT = 3_000;

/** Waits for the providers' answers, but not longer than a page may take. */
export const withinPageTimeout = (asking: Promise<unknown>) =>
  Promise.race([asking, delay(PAGE_TIMEOUT, undefined, { ref: false })]);

const isWaiting = ({ state, reference }: Charge) =>
  state === "open" || state === "held" || (state === "claimed" && reference !== null);

/** Wallets sometimes approve later: a failed or abandoned charge is asked about for some days. */
const isWatched = ({ state, next_at, account_id }: Charge) =>
  (state === "failed" || state === "left") && next_at !== null && account_id !== null;

/** Follows up all unfinished attempts of the sandbox, whose answers are in this database. */
export async function followUpSandbox(
  payments: PaymentContext,
  {
    onError = () => {},
    signal,
  }: { onError?: (error: unknown) => void; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  for (let after = FIRST_CURSOR; !signal?.aborted;) {
    const some = await selectSandboxUnanswered(payments.pool, { after, limit: BATCH });
    for (const attempt of some) await followUpAttempt(payments, attempt).catch(onError);
    const last = some.at(-1);
    if (!last) return;
    after = last;
  }
}
