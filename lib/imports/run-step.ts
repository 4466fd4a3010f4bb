import "server-only";
import type { CreatedSubscription, CreateSubscription } from "#contract/subscriptions.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import { writeAudit } from "#lib/auth/guards/write-audit.ts";
import { rememberCheckoutBase } from "#lib/billing/checkout-base.ts";
import { LEASE_HELD, pauseAfterFailure, type JobPause } from "#lib/db/lease.ts";
import type { Database } from "#lib/db/pool.ts";
import { expectedFailure, isAnswerLost, isChangedSince, type Failure } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";
import { describeItemFailure, pauseForFailure } from "#lib/subscriptions/bulk/item-failure.ts";
import {
  finishRow,
  leaseNextRow,
  selectImportProgress,
  type LeasedRow,
  type RowOutcome,
} from "./run-store.ts";
import type { ImportStep } from "./run-queries.ts";
import { isTakeOverOffered, type TakeOverClient } from "./take-over.ts";

/** How many rows are under way at once; the service makes those of one seller one after the other. */
const LANES = 4;
/** For how long a step begins new rows, so that progress is shown and a pause takes effect soon. */
const STEP_MS = 1_500;

const LOST = message("importRun.why.lost");
const NOT_TAKEN_OVER = message("importRun.why.notTakenOver");
const GONE = message("importRun.why.gone");
const NO_PERIOD = message("importRun.why.noPeriod");

export interface ImportContext extends Pick<SignedIn, "billing" | "owner"> {
  db: Database;
  user: Pick<SignedIn["user"], "id">;
  /** Called only if needed; null where the service does not take over what buyers paid. */
  takeOver: () => Promise<TakeOverClient | null>;
  /**
   * The URL of the page to which buyers return if the seller has set none.
   * @param token the seller's
   */
  returnPageUrl: (token: string) => string;
}

/**
 * Makes or takes back subscriptions of a run for a moment, several at once. A write whose answer
 * was lost is repeated with the same key, by which the service makes it once.
 */
export async function advanceImport(
  context: ImportContext,
  id: string,
  { lanes = LANES, forMs = STEP_MS }: { lanes?: number; forMs?: number } = {},
): Promise<ImportStep> {
  const { db, owner, takeOver } = context;
  const until = performance.now() + forMs;
  const step: { pause: JobPause | null; isEmpty: boolean } = { pause: null, isEmpty: false };
  const work = async () => {
    while (!step.pause && !step.isEmpty && performance.now() < until) {
      const leased = await leaseNextRow(db, owner, id);
      if (!leased) step.isEmpty = true;
      else step.pause = (await processRow(context, id, leased)) ?? step.pause;
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  const progress = await selectImportProgress(db, owner, id);
  const pause = step.pause ?? (step.isEmpty ? idleReason(progress) : null);
  // While the run goes on, the page does not offer to take back, so the service is not asked.
  const isGoingOn = pause === null || pause.kind === "wait";
  const can_undo =
    progress.counts.done > 0 && (isGoingOn || (await isTakeOverOffered(takeOver())));
  return { progress: { ...progress, can_undo }, pause };
}

function idleReason({
  paused_at,
  closed_at,
  rest,
}: Omit<ImportStep["progress"], "can_undo">): JobPause {
  if (paused_at !== null || closed_at !== null) return { kind: "paused" };
  return rest > 0 ? LEASE_HELD : { kind: "finished" };
}

type Processed = RowOutcome & { pause?: JobPause | null };

async function processRow(
  context: ImportContext,
  id: string,
  leased: LeasedRow,
): Promise<JobPause | null> {
  const outcome = leased.is_undo
    ? await takeBack(context, leased)
    : await makeSubscription(context, leased);
  const { db, owner, user } = context;
  const { made } = outcome;
  if (made) await rememberCheckoutBase(db, owner, made);
  const isUndone = outcome.state === "undone";
  const subscription_id = made?.subscription_id ?? (isUndone ? leased.subscription_id : null);
  if (subscription_id !== null)
    await writeAudit(db, {
      ...owner,
      user_id: user.id,
      action: isUndone ? "subscription.withdraw" : "subscription.create",
      subscription_id,
      result: "done",
      detail: {
        import_run: id,
        ...(!isUndone && { pbp_id: leased.pbp_id, paid_until: leased.paid_until }),
      },
    });
  await finishRow(db, owner, id, leased, outcome);
  return outcome.pause ?? null;
}

async function makeSubscription(
  { billing, takeOver, returnPageUrl }: ImportContext,
  leased: LeasedRow,
): Promise<Processed> {
  const { paid_until, idempotency_key: key } = leased;
  const taker = paid_until === null ? null : await takeOver().catch(expectedFailure);
  if (taker && "kind" in taker)
    return putBack(leased.was !== "waiting", pauseAfterFailure(taker));
  if (paid_until !== null && !taker) return { state: "refused", message: NOT_TAKEN_OVER };
  const return_url = leased.return_url || returnPageUrl(leased.return_token);
  const order = { ...orderOf(leased), return_url };
  const { answer: made, wasLost } = await repeatedIfLost<CreatedSubscription>(() =>
    paid_until !== null && taker
      ? taker.takeOver({ ...order, paid_until }, key)
      : billing.createSubscription(order, key),
  );
  if (!("kind" in made)) {
    // A waiting checkout that the buyer had is not taken back with what the import made.
    const isOld = paid_until === null && made.subscription_id === leased.existing_id;
    return { state: isOld ? "already" : "done", message: null, made };
  }
  if (isAnswerLost(made))
    return { state: "unknown", message: LOST, pause: pauseAfterFailure(made) };
  // After a lost answer or a crash, the row may have been made.
  const isUnsure = wasLost || leased.was !== "waiting";
  // The first request with this key is then still being worked on.
  const pause = isUnsure && isChangedSince(made) ? LEASE_HELD : pauseForFailure(made);
  if (pause) return putBack(isUnsure, pause);
  const state = made.kind === "unexpected" ? "failed" : "refused";
  return { state, message: made.kind === "not_found" ? NO_PERIOD : describeItemFailure(made) };
}

/** @param isUnsure whether the row may have been made */
const putBack = (isUnsure: boolean, pause: JobPause): Processed => ({
  state: isUnsure ? "unknown" : "waiting",
  message: isUnsure ? LOST : null,
  pause,
  isPutBack: true,
});

/**
 * Withdraws the row's subscription. A row whose subscription is kept stays `done`, with the reason.
 */
async function takeBack({ takeOver }: ImportContext, leased: LeasedRow): Promise<Processed> {
  const { subscription_id } = leased;
  const taker = await takeOver().catch(expectedFailure);
  if (taker && "kind" in taker)
    return { state: "done", message: null, pause: pauseAfterFailure(taker), isPutBack: true };
  if (!taker || subscription_id === null) return { state: "done", message: GONE };
  const { answer } = await repeatedIfLost(() => taker.withdraw(subscription_id));
  if (!("kind" in answer)) return { state: "undone", message: null };
  const pause = pauseForFailure(answer);
  if (pause) return { state: "done", message: null, pause, isPutBack: true };
  return {
    state: "done",
    message: answer.kind === "not_found" ? GONE : describeItemFailure(answer),
  };
}

/**
 * Repeats a write once if its answer was lost.
 * @returns the answer, or why there is none, and whether the first one was lost
 */
async function repeatedIfLost<Answer extends object>(
  write: () => Promise<Answer>,
): Promise<{ answer: Answer | Failure; wasLost: boolean }> {
  const first = await write().catch(expectedFailure);
  const wasLost = "kind" in first && isAnswerLost(first as Failure);
  return { answer: wasLost ? await write().catch(expectedFailure) : first, wasLost };
}

function orderOf({
  name,
  phone,
  email,
  address,
  pan_vat,
  pbp_id,
}: LeasedRow): Omit<CreateSubscription, "return_url"> {
  const client = {
    phone: phone ?? "",
    full_name: name ?? "",
    email: email ?? "",
    address: address ?? "",
  };
  const billing = pan_vat !== null && {
    billing_business_name: client.full_name,
    billing_email: client.email,
    billing_address: client.address,
    billing_pan_vat: pan_vat,
  };
  return { pbp_id: pbp_id ?? "", client: { ...client, ...(billing && { billing }) } };
}
