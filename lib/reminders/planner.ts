import "server-only";
import { dueRuns, type Run } from "#contract/process/reminder-calendar.ts";
import { checkoutLinks } from "#lib/billing/checkout-base.ts";
import { findMessageClient } from "#lib/billing/message-account.ts";
import { openObservedClient } from "#lib/billing/open-client.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { logFault } from "#lib/log.ts";
import { database } from "#lib/db/pool.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { findRemindable, type Remindable } from "#lib/search-index/query/remindable.ts";
import { followMessages } from "./follow.ts";
import { beginRound, readTimes, remind, type Planning, type Round } from "./hand-over.ts";
import { endTurn, forgetOldPlanned, readSettled, takeTurn, type Due } from "./store.ts";

const PAGE = 200;
/**
 * The most reminders that a round checks, and the number of messages waiting at the service at which
 * it ends.
 */
const MOST = 100;
const ROUND = 40_000;

/** A task of the worker: plans reminders for a seller whose subscriptions another service keeps. */
export async function remindInTime(owner: KeyOwner): Promise<void> {
  const db = database();
  try {
    const claim = await takeTurn(db, owner);
    if (claim === null) return;
    try {
      const messages = await findMessageClient(owner);
      if (messages)
        await planReminders({
          db,
          owner,
          messages,
          billing: openObservedClient(owner),
          linkOf: await checkoutLinks({ owner }),
          now: () => new Date(),
        });
    } finally {
      await endTurn(db, owner, claim);
    }
  } catch (error) {
    logFault("reminders: what is due was not planned", error);
  }
}

/**
 * Hands over the reminders that are due by the schedule, each after a fresh reading of its
 * subscription. A later round checks again the reminders that this round does not reach or that
 * were not sent in time.
 */
export async function planReminders(planning: Planning): Promise<void> {
  const { db, owner, messages, now } = planning;
  const begun = now();
  await followMessages(planning);
  if ((await readIndexStatus(db, owner)).state !== "ready") return;
  const schedule = await messages.readSchedule();
  if (!schedule.is_on) return;
  const read = await readTimes(planning, schedule);
  const runs = dueRuns(read.times, read.place, begun);
  if (runs.length === 0) return;
  await forgetOldPlanned(db, owner, begun);
  const round = await beginRound(planning, schedule, read);
  let left = MOST;
  for (const run of runs)
    for await (const due of dueOf(round, run)) {
      if (left === 0 || now().getTime() - begun.getTime() > ROUND) return;
      const { waiting } = await remind(round, run.step, due);
      left -= 1;
      if (waiting !== null && waiting >= MOST) return;
    }
}

/** The subscriptions of a run that must be checked now, in order. */
async function* dueOf({ db, owner, now }: Round, { step, from, to }: Run): AsyncGenerator<Due> {
  const isCheckout = step.kind === "checkout_left";
  const { step_id } = step;
  let after: Remindable | null = null;
  for (;;) {
    const page: Remindable[] = await findRemindable(db, owner, {
      isCheckout,
      from,
      to,
      after,
      limit: PAGE,
    });
    const due = page.map((row) => ({ ...row, step_id }));
    const settled = await readSettled(db, owner, due, now());
    yield* due.filter(({ subscription_id }) => !settled.has(subscription_id));
    after = page.at(-1) ?? null;
    if (page.length < PAGE) return;
  }
}
