import "server-only";
import { queryRow } from "#contract/process/database.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { AuditNote } from "#lib/auth/guards/seller-action.ts";
import { expectedFailure, isAnswerLost, type Failure } from "#lib/failure.ts";
import { LEASE_HELD, leaseSql, type JobPause } from "#lib/db/lease.ts";
import type { Database } from "#lib/db/pool.ts";
import { message } from "#lib/i18n/message.ts";
import { changeDetail, sendChange, type SentChange } from "../send-change.ts";
import {
  moveBillingDateWithSettlement,
  withdrawUnfulfilledSettlements,
  type SettlementContext,
} from "../goodwill/store.ts";
import { settlementDetail } from "../goodwill/input.ts";
import type { Settlement } from "../goodwill/rules.ts";
import { cancelWithReason, withdrawLeaving } from "../leaving.ts";
import { billingDay, type Operation } from "../rules.ts";
import { BULK_ITEM_COLUMNS } from "./data.ts";
import { describeItemFailure, pauseForFailure } from "./item-failure.ts";
import type { BulkItem, BulkStep } from "./queries.ts";
import { isChangeVisible, planChange, type BulkChange, type ItemState } from "./rules.ts";

// The lease is longer than the two reads and the write of a step can take.
const LEASE = leaseSql(90);

const LOST = message("bulk.why.lost");
const LOST_NOT_DONE = message("bulk.why.lostNotDone");
const LOST_UNREADABLE = message("bulk.why.lostUnreadable");
const UNDECIDED = message("owed.undecided");
const MOVED = message("bulk.why.moved");
const UNSEEN = message("bulk.why.unseen");

export type BulkContext = Pick<SignedIn, "billing" | "now"> &
  SettlementContext & {
    db: Database;
    time_zone: string;
  };

interface LeasedItem extends BulkItem {
  claim: string;
  operation: Operation;
  undo_of: string | null;
  owed: Settlement["owed"] | null;
  owed_reason: Settlement["reason"] | null;
  owed_words: string | null;
  leave_reason: string | null;
  leave_words: string | null;
  /**
   * The item's state before the step: `waiting`, `unknown` after a lost answer, or `running` after
   * a crash.
   */
  was: ItemState;
}

interface Outcome {
  state: ItemState;
  message: string | null;
  after?: Subscription;
  pause?: JobPause;
}

/**
 * Processes the next item of a run and stores the outcome. A change that may have been done is only
 * checked, never sent again. The note becomes the item's audit entry.
 */
export async function runNextItem(
  context: BulkContext,
  run_id: string,
  note: AuditNote,
): Promise<BulkStep> {
  const leased = await leaseNextItem(context, run_id);
  if (!leased) {
    note.action = null;
    return { item: null, pause: await idleReason(context, run_id) };
  }
  note.action = `subscription.${leased.operation}`;
  note.subscription_id = leased.subscription_id;
  note.detail = { bulk_run: run_id };
  const outcome =
    leased.was === "waiting"
      ? await perform(context, leased, note)
      : await settle(context, leased, note);
  const item = await finishItem(context, run_id, leased, outcome);
  return { item, pause: outcome.pause ?? null };
}

/** Leases the next item. Two concurrent steps get two items, because locked rows are skipped. */
export const leaseNextItem = (
  { db, owner }: Pick<BulkContext, "db" | "owner">,
  run_id: string,
) =>
  queryRow<LeasedItem>(
    db,
    `with next as (
       select i.run_id, i.subscription_id, i.state as was, r.operation, r.undo_of,
              r.owed, r.owed_reason, r.owed_words, r.leave_reason, r.leave_words
         from bulk_item i join bulk_run r on r.id = i.run_id
        where i.run_id = $1 and i.seller_id = $2 and i.mode = $3
          and r.paused_at is null and r.closed_at is null
          and (i.state in ('waiting', 'unknown') or
               i.state = 'running' and ${LEASE.isFree("i")})
        order by i.position limit 1 for update of i skip locked
     )
     update bulk_item i set state = 'running', ${LEASE.acquire}, claimed_at = now()
       from next where i.run_id = next.run_id and i.subscription_id = next.subscription_id
     returning ${BULK_ITEM_COLUMNS}, i.claim, next.was, next.operation, next.undo_of,
               next.owed, next.owed_reason, next.owed_words, next.leave_reason, next.leave_words`,
    [run_id, owner.seller_id, owner.mode],
  );

async function idleReason({ db, owner }: BulkContext, run_id: string): Promise<JobPause> {
  const { rows } = await db.query<{ is_paused: boolean; held: boolean }>(
    `select r.paused_at is not null or r.closed_at is not null as is_paused,
            exists (select 1 from bulk_item i
                     where i.run_id = r.id and i.state = 'running') as held
       from bulk_run r where r.id = $1 and r.seller_id = $2 and r.mode = $3`,
    [run_id, owner.seller_id, owner.mode],
  );
  if (rows[0]?.is_paused) return { kind: "paused" };
  if (rows[0]?.held) return LEASE_HELD;
  return { kind: "finished" };
}

async function perform(
  context: BulkContext,
  leased: LeasedItem,
  note: AuditNote,
): Promise<Outcome> {
  const { billing, time_zone } = context;
  const { subscription_id, operation } = leased;
  const before = await readRecord(context, subscription_id);
  if (isFailure(before)) return notDone(before, note, "waiting");
  const plan = planChange(aimOf(leased), before, context);
  const isMoved = operation === "reschedule" && plan.day !== leased.day_before;
  if (plan.verdict !== "change" || isMoved) {
    note.action = null;
    if (plan.verdict === "change") return { state: "refused", message: MOVED };
    return { state: plan.verdict, message: plan.message };
  }
  const settlement = settlementOf(leased);
  const isOwing = operation === "reschedule" && before.status === "due";
  if (isOwing && settlement === null) {
    note.action = null;
    return { state: "refused", message: UNDECIDED };
  }
  note.detail = {
    ...note.detail,
    status: before.status,
    ...(isOwing && settlement && settlementDetail(settlement)),
  };
  const send = () => sendChange(billing, changeOf(leased));
  const move = { before, day: leased.target_day ?? "", settlement };
  const sent = isOwing
    ? moveBillingDateWithSettlement(context.db, context, move, send)
    : operation === "cancel"
      ? cancelWithReason(context.db, context, before, leavingOf(leased), send)
      : send();
  const failure = await sent.then(() => null, expectedFailure);
  if (failure)
    return isAnswerLost(failure)
      ? settle(context, leased, note)
      : notDone(failure, note, "waiting");
  if (operation === "resume") await withdrawLeaving(context.db, context, leased);
  const after = await readRecord(context, subscription_id);
  if (isFailure(after)) return { state: "done", message: null };
  note.detail = { ...note.detail, ...changeDetail(before, after, time_zone) };
  const isSeen = isChangeVisible(operation, leased.target_day, after, time_zone);
  return { state: "done", message: isSeen ? null : UNSEEN, after };
}

/** Reads the record to find out whether the change was made. */
async function settle(
  context: BulkContext,
  leased: LeasedItem,
  note: AuditNote,
): Promise<Outcome> {
  const { operation, target_day, day_before, subscription_id } = leased;
  note.result = "unknown";
  const record = await readRecord(context, subscription_id);
  if (isFailure(record)) {
    const pause = pauseForFailure(record);
    if (pause) return { state: "unknown", message: LOST, pause };
    return { state: "failed", message: LOST_UNREADABLE };
  }
  const isDone = isChangeVisible(operation, target_day, record, context.time_zone);
  note.result = isDone ? "done" : "failed";
  const settlement = settlementOf(leased);
  note.detail = {
    ...note.detail,
    ...(leased.status_before === "due" && settlement && settlementDetail(settlement)),
    ...(isDone &&
      target_day !== null && { next_billing_before: day_before, next_billing: target_day }),
  };
  if (operation === (isDone ? "resume" : "cancel"))
    await withdrawLeaving(context.db, context, leased);
  if (isDone) return { state: "done", message: null, after: record };
  if (settlement) await withdrawUnfulfilledSettlements(context.db, context, record);
  return { state: "failed", message: LOST_NOT_DONE, after: record };
}

function notDone(failure: Failure, note: AuditNote, was: ItemState): Outcome {
  const pause = pauseForFailure(failure);
  if (pause) {
    note.action = null;
    return { state: was, message: null, pause };
  }
  note.result = "failed";
  note.detail = { ...note.detail, failure: failure.kind };
  const state = failure.kind === "unexpected" ? "failed" : "refused";
  return { state, message: describeItemFailure(failure) };
}

const isFailure = (read: Subscription | Failure): read is Failure => "kind" in read;

const readRecord = ({ billing }: BulkContext, subscription_id: string) =>
  billing.getSubscription(subscription_id).catch(expectedFailure);

const aimOf = ({ operation, target_day }: LeasedItem): BulkChange =>
  operation === "reschedule" ? { operation, to: "day", day: target_day ?? "" } : { operation };

const settlementOf = ({ owed, owed_reason: reason, owed_words: words }: LeasedItem) =>
  owed === null || reason === null ? null : { owed, reason, words: words ?? "" };

const leavingOf = ({ leave_reason, leave_words }: LeasedItem) => ({
  reason: leave_reason,
  words: leave_words ?? "",
});

const changeOf = ({ operation, subscription_id, target_day }: LeasedItem): SentChange =>
  operation === "reschedule"
    ? { operation, subscription_id, day: target_day ?? "" }
    : { operation, subscription_id };

/**
 * Stores the outcome. If the run undoes another one, the item of that run is marked as undone.
 * @returns the stored item; null if another step has taken it over
 */
async function finishItem(
  { db, owner, time_zone }: BulkContext,
  run_id: string,
  leased: LeasedItem,
  { state, message, after }: Outcome,
): Promise<BulkItem | null> {
  const { seller_id, mode } = owner;
  const { subscription_id, claim, undo_of } = leased;
  return queryRow<BulkItem>(
    db,
    `with finished as (
       update bulk_item i set state = $6, message = $7, ${LEASE.release},
              status_after = coalesce($8, i.status_after), day_after = coalesce($9, i.day_after),
              settled_at = now()
        where i.run_id = $1 and i.subscription_id = $2 and i.seller_id = $3 and i.mode = $4
          and i.claim = $5
       returning ${BULK_ITEM_COLUMNS}
     ), taken_back as (
       update bulk_item i set state = 'undone' from finished
        where i.run_id = $10 and i.subscription_id = $2 and i.seller_id = $3 and i.mode = $4
          and i.state = 'done' and finished.state in ('done', 'already')
     )
     select * from finished`,
    [
      run_id,
      subscription_id,
      seller_id,
      mode,
      claim,
      state,
      message,
      after?.status ?? null,
      after ? billingDay(after, time_zone) : null,
      undo_of,
    ],
  );
}
