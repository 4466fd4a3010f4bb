import "server-only";
import type { Subscription } from "#contract/subscriptions.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { AuditNote } from "#lib/auth/guards/seller-action.ts";
import {
  AppError,
  failureMessages,
  failureOf,
  isLost,
  type Failure,
  type FailureKind,
} from "#lib/failure.ts";
import { HELD, leaseSql, pauseAfter } from "#lib/db/lease.ts";
import type { Database } from "#lib/db/pool.ts";
import { message } from "#lib/i18n/message.ts";
import { changeDetail, sendChange, type Change } from "../data.ts";
import {
  moveSettled,
  settlementDetail,
  withdrawUnfulfilled,
  type Mover,
} from "../goodwill/store.ts";
import type { Settlement } from "../goodwill/rules.ts";
import { billingDay, type Operation } from "../rules.ts";
import { ITEM } from "./data.ts";
import type { BulkHalt, BulkItem, BulkStep } from "./queries.ts";
import { isAchieved, planFor, type Aim, type ItemState } from "./rules.ts";

// Longer than the two reads and the write of a step can take together.
const LEASE = leaseSql(90);

const LOST = message("bulk.why.lost");
const LOST_NOT_DONE = message("bulk.why.lostNotDone");
const LOST_UNREADABLE = message("bulk.why.lostUnreadable");
const UNDECIDED = message("owed.undecided");
const MOVED = message("bulk.why.moved");
const UNSEEN = message("bulk.why.unseen");

/** What a step works with. */
export type Desk = Pick<SignedIn, "billing" | "now"> &
  Mover & {
    db: Database;
    time_zone: string;
  };

interface Claimed extends BulkItem {
  claim: string;
  operation: Operation;
  undo_of: string | null;
  owed: Settlement["owed"] | null;
  owed_reason: Settlement["reason"] | null;
  owed_words: string | null;
  /** `waiting`, or what somebody left behind: `unknown`, or `running` when their process died. */
  was: ItemState;
}

interface Outcome {
  state: ItemState;
  message: string | null;
  after?: Subscription;
  halt?: BulkHalt;
}

/**
 * Takes the next one of the run, does what was asked and writes down what came of it. What may have
 * been done already is only looked at, never sent again. The note becomes the record's entry of it.
 */
export async function stepRun(desk: Desk, run_id: string, note: AuditNote): Promise<BulkStep> {
  const claimed = await claimItem(desk, run_id);
  if (!claimed) {
    note.action = null;
    return { item: null, halt: await whyNothing(desk, run_id) };
  }
  note.action = `subscription.${claimed.operation}`;
  note.subscription_id = claimed.subscription_id;
  note.detail = { bulk_run: run_id };
  const outcome =
    claimed.was === "waiting"
      ? await perform(desk, claimed, note)
      : await settle(desk, claimed, note);
  const item = await finishItem(desk, run_id, claimed, outcome);
  return { item, halt: outcome.halt ?? null };
}

/** Two that ask at once get two different ones: the row lock is skipped, not waited for. */
export async function claimItem(
  { db, owner }: Pick<Desk, "db" | "owner">,
  run_id: string,
): Promise<Claimed | null> {
  const { rows } = await db.query<Claimed>(
    `with next as (
       select i.run_id, i.subscription_id, i.state as was, r.operation, r.undo_of,
              r.owed, r.owed_reason, r.owed_words
         from bulk_item i join bulk_run r on r.id = i.run_id
        where i.run_id = $1 and i.seller_id = $2 and i.mode = $3
          and r.paused_at is null and r.closed_at is null
          and (i.state in ('waiting', 'unknown') or
               i.state = 'running' and ${LEASE.isFree("i")})
        order by i.position limit 1 for update of i skip locked
     )
     update bulk_item i set state = 'running', ${LEASE.acquire}, claimed_at = now()
       from next where i.run_id = next.run_id and i.subscription_id = next.subscription_id
     returning ${ITEM}, i.claim, next.was, next.operation, next.undo_of,
               next.owed, next.owed_reason, next.owed_words`,
    [run_id, owner.seller_id, owner.mode],
  );
  return rows[0] ?? null;
}

async function whyNothing({ db, owner }: Desk, run_id: string): Promise<BulkHalt> {
  const { rows } = await db.query<{ is_paused: boolean; held: boolean }>(
    `select r.paused_at is not null or r.closed_at is not null as is_paused,
            exists (select 1 from bulk_item i
                     where i.run_id = r.id and i.state = 'running') as held
       from bulk_run r where r.id = $1 and r.seller_id = $2 and r.mode = $3`,
    [run_id, owner.seller_id, owner.mode],
  );
  if (rows[0]?.is_paused) return { kind: "paused" };
  if (rows[0]?.held) return HELD;
  return { kind: "finished" };
}

async function perform(desk: Desk, claimed: Claimed, note: AuditNote): Promise<Outcome> {
  const { billing, time_zone } = desk;
  const { subscription_id, operation } = claimed;
  const before = await readRecord(desk, subscription_id);
  if (isFailure(before)) return notDone(before, note, "waiting");
  const plan = planFor(aimOf(claimed), before, desk);
  const isMoved = operation === "reschedule" && plan.day !== claimed.day_before;
  if (plan.verdict !== "change" || isMoved) {
    note.action = null;
    if (plan.verdict === "change") return { state: "refused", message: MOVED };
    return { state: plan.verdict, message: plan.message };
  }
  const settlement = settlementOf(claimed);
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
  const send = () => sendChange(billing, changeOf(claimed));
  const sent = isOwing
    ? moveSettled(desk.db, desk, { before, day: claimed.target_day ?? "", settlement }, send)
    : send();
  const failure = await sent.then(() => null, readFailure);
  if (failure)
    return isLost(failure) ? settle(desk, claimed, note) : notDone(failure, note, "waiting");
  const after = await readRecord(desk, subscription_id);
  if (isFailure(after)) return { state: "done", message: null };
  note.detail = { ...note.detail, ...changeDetail(before, after, time_zone) };
  const isSeen = isAchieved(operation, claimed.target_day, after, time_zone);
  return { state: "done", message: isSeen ? null : UNSEEN, after };
}

/** Reads the record to tell whether what was sent has been done. */
async function settle(desk: Desk, claimed: Claimed, note: AuditNote): Promise<Outcome> {
  const { operation, target_day, day_before, subscription_id } = claimed;
  note.result = "unknown";
  const record = await readRecord(desk, subscription_id);
  if (isFailure(record)) {
    const halt = haltOf(record);
    if (halt) return { state: "unknown", message: LOST, halt };
    return { state: "failed", message: LOST_UNREADABLE };
  }
  const isDone = isAchieved(operation, target_day, record, desk.time_zone);
  note.result = isDone ? "done" : "failed";
  const settlement = settlementOf(claimed);
  note.detail = {
    ...note.detail,
    ...(claimed.status_before === "due" && settlement && settlementDetail(settlement)),
    ...(isDone &&
      target_day !== null && { next_billing_before: day_before, next_billing: target_day }),
  };
  if (isDone) return { state: "done", message: null, after: record };
  if (settlement) await withdrawUnfulfilled(desk.db, desk, record);
  return { state: "failed", message: LOST_NOT_DONE, after: record };
}

/** The service was not asked, or said no; what stops only this one does not stop the run. */
function notDone(failure: Failure, note: AuditNote, was: ItemState): Outcome {
  const halt = haltOf(failure);
  if (halt) {
    note.action = null;
    return { state: was, message: null, halt };
  }
  note.result = "failed";
  note.detail = { ...note.detail, failure: failure.kind };
  const state = failure.kind === "unexpected" ? "failed" : "refused";
  return { state, message: wordsOf(failure) };
}

/** Of this one alone: the next one may be tried all the same. */
const OWN_FAILURES = new Set<FailureKind>([
  "validation",
  "conflict",
  "not_found",
  "unexpected",
]);

/** Null when it does not keep the others from being tried. */
function haltOf(failure: Failure): BulkHalt | null {
  if (OWN_FAILURES.has(failure.kind)) return null;
  return pauseAfter(failure);
}

function wordsOf(failure: Failure): string {
  if (failure.kind === "not_found") return message("bulk.why.gone");
  // There is no form whose fields would tell the rest: as of a read, all that the service said.
  return failureMessages(failure, failure.kind === "validation" ? "read" : "write").title;
}

const isFailure = (read: Subscription | Failure): read is Failure => "kind" in read;

const readRecord = ({ billing }: Desk, subscription_id: string) =>
  billing.getSubscription(subscription_id).catch(readFailure);

function readFailure(error: unknown): Failure {
  if (error instanceof AppError) return failureOf(error);
  throw error;
}

const aimOf = ({ operation, target_day }: Claimed): Aim =>
  operation === "reschedule" ? { operation, to: "day", day: target_day ?? "" } : { operation };

const settlementOf = ({ owed, owed_reason: reason, owed_words: words }: Claimed) =>
  owed === null || reason === null ? null : { owed, reason, words: words ?? "" };

const changeOf = ({ operation, subscription_id, target_day }: Claimed): Change =>
  operation === "reschedule"
    ? { operation, subscription_id, day: target_day ?? "" }
    : { operation, subscription_id };

/**
 * Writes the outcome down if the claim still stands. What takes a run back marks that run's item.
 * @returns the item as it stands now
 */
async function finishItem(
  { db, owner, time_zone }: Desk,
  run_id: string,
  claimed: Claimed,
  { state, message, after }: Outcome,
): Promise<BulkItem> {
  const { seller_id, mode } = owner;
  const { subscription_id, claim, undo_of } = claimed;
  const { rows } = await db.query<BulkItem>(
    `with finished as (
       update bulk_item i set state = $6, message = $7, ${LEASE.release},
              status_after = coalesce($8, i.status_after), day_after = coalesce($9, i.day_after),
              settled_at = now()
        where i.run_id = $1 and i.subscription_id = $2 and i.seller_id = $3 and i.mode = $4
          and i.claim = $5
       returning ${ITEM}
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
  return rows[0] ?? { ...itemOf(claimed), state };
}

/** Without what only its claim is about. */
function itemOf({
  claim: _claim,
  was: _was,
  operation: _operation,
  undo_of: _undo,
  owed: _owed,
  owed_reason: _reason,
  owed_words: _words,
  ...item
}: Claimed): BulkItem {
  return item;
}
