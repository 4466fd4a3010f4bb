"use server";

import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { isPlainText } from "#contract/field-messages.ts";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import { LenientCreateSubscription, RescheduleSubscription } from "#contract/subscriptions.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import { sellerAction, type AuditNote } from "#lib/auth/guards/seller-action.ts";
import { requireAccountClient } from "#lib/billing/account.ts";
import { rememberCheckoutBase } from "#lib/billing/checkout-base.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { PaymentClient } from "#lib/billing/payment-client.ts";
import { AppError } from "#lib/failure.ts";
import { database, readClock } from "#lib/db/pool.ts";
import { isDay } from "#lib/format/calendar.ts";
import { message } from "#lib/i18n/message.ts";
import { logLine } from "#lib/log.ts";
import { findIndexedBefore } from "#lib/search-index/query/search-records.ts";
import { GoodwillInput } from "./goodwill/input.ts";
import { insertGoodwill, moveBillingDateWithSettlement, waiveDebt } from "./goodwill/store.ts";
import { OWED_TREATMENTS, type Goodwill, type Settlement } from "./goodwill/rules.ts";
import { NOTHING_SAID, type Leaving } from "#lib/money/leave-reasons.ts";
import { cancelWithReason, LeavingInput, requireLeaving, withdrawLeaving } from "./leaving.ts";
import { getSubscription } from "./record.ts";
import { changeDetail, sendChange, type SentChange } from "./send-change.ts";
import type { ChangedSubscription, CreatedRecord } from "./queries.ts";
import { billingDay, detectReuse } from "./rules.ts";

const OneSubscription = RescheduleSubscription.pick({ subscription_id: true });

export const createSubscriptionAction = sellerAction({
  name: "subscription.create",
  permission: "subscriptions:create",
  input: LenientCreateSubscription,
  run: async ({ billing, owner }, input, note): Promise<CreatedRecord> => {
    note.detail = { pbp_id: input.pbp_id };
    const [waiting, asked_at] = await Promise.all([
      listWaiting(billing),
      readClock(database()),
    ]);
    const created = await billing.createSubscription(input);
    note.subscription_id = created.subscription_id;
    await rememberCheckoutBase(database(), owner, created);
    const { subscription_id } = created;
    const copied = await findIndexedBefore(database(), owner, { subscription_id, asked_at });
    const { is_reused, before } = detectReuse(created, waiting, copied);
    if (is_reused) note.detail = { ...note.detail, is_reused };
    return { subscription_id, is_reused, before };
  },
});

const TIMEOUT_MS = 2_500;

/** Reads the newest unpaid subscriptions, only to describe the outcome; null after the timeout. */
function listWaiting(billing: BillingClient) {
  const search = { status: "pending_checkout", page: 1, page_size: MAX_PAGE_SIZE };
  return Promise.race([
    billing.listSubscriptions(search).catch(nullIfUnreadable),
    delay(TIMEOUT_MS, null, { ref: false }),
  ]);
}

export const cancelSubscriptionAction = sellerAction({
  name: "subscription.cancel",
  permission: "subscriptions:cancel",
  input: OneSubscription.extend({ leaving: LeavingInput }),
  run: (signedIn, { subscription_id, leaving }, note) => {
    const said = requireLeaving(signedIn.seller, leaving);
    return change(signedIn, { operation: "cancel", subscription_id }, note, { leaving: said });
  },
});

/**
 * Accepts or declines a request that a buyer made on their page; the buyer reads the answer. The
 * reason of an accepted end is stored, as for every cancellation.
 */
export const answerBuyerRequestAction = sellerAction({
  name: "request.answer",
  permission: "subscriptions:cancel",
  input: OneSubscription.extend({
    id: z.uuid(),
    decision: z.enum(["accept", "decline"]),
    /** The new billing date of an accepted pause. */
    next_billing_cycle: z.string().refine(isDay, message("byHand.requests.day")).nullable(),
    answer: z
      .string()
      .trim()
      .max(500, message("fields.name.tooLong", { count: 500 }))
      .refine(isPlainText, message("fields.hidden")),
    leaving: LeavingInput,
  }),
  run: async (
    signedIn,
    { id, subscription_id, leaving, next_billing_cycle, ...input },
    note,
  ) => {
    const { billing, owner, seller, user } = signedIn;
    note.subscription_id = subscription_id;
    note.detail = { decision: input.decision };
    const client = await requireAccountClient(owner, PaymentClient);
    const send = () =>
      client.answerRequest(id, {
        ...input,
        by: { id: user.id, name: user.name },
        ...(next_billing_cycle !== null && { next_billing_cycle }),
      });
    const { results: open } = await client.listRequests({ subscription_id });
    const isStop = open.some((request) => request.id === id && request.kind === "stop");
    if (input.decision === "accept" && isStop) {
      const said = requireLeaving(seller, leaving);
      const before = await billing.getSubscription(subscription_id);
      await cancelWithReason(database(), signedIn, before, said, send);
    } else await send();
    return null;
  },
});

export const resumeSubscriptionAction = sellerAction({
  name: "subscription.resume",
  permission: "subscriptions:resume",
  input: OneSubscription,
  run: (signedIn, { subscription_id }, note) =>
    change(signedIn, { operation: "resume", subscription_id }, note),
});

/**
 * Moves a billing date, as a goodwill extension or not. For a due subscription the input says what
 * becomes of the amount owed. The text of a goodwill extension is stored in the dashboard alone.
 */
export const rescheduleSubscriptionAction = sellerAction({
  name: "subscription.reschedule",
  permission: "subscriptions:reschedule",
  input: RescheduleSubscription.extend({
    goodwill: GoodwillInput.optional(),
    owed: z.enum(OWED_TREATMENTS).optional(),
  }),
  run: async (signedIn, { subscription_id, next_billing_cycle: day, goodwill, owed }, note) => {
    note.detail = {
      asked_for: day,
      ...(goodwill && { courtesy: goodwill.reason }),
      ...(owed && { owed }),
    };
    const wanted = { operation: "reschedule", subscription_id, day } as const;
    const settlement = goodwill && owed ? { ...goodwill, owed } : null;
    const changed = await change(signedIn, wanted, note, { settlement });
    if (goodwill && changed.before.status !== "due")
      await tryToKeep(signedIn, goodwill, changed, day);
    return changed;
  },
});

export const waiveDebtAction = sellerAction({
  name: "subscription.waive",
  permission: "subscriptions:reschedule",
  input: OneSubscription.extend({ goodwill: GoodwillInput }),
  run: async (signedIn, { subscription_id, goodwill }, note) => {
    note.subscription_id = subscription_id;
    note.detail = { courtesy: goodwill.reason };
    const record = await signedIn.billing.getSubscription(subscription_id);
    const { amount, currency } = await waiveDebt(database(), signedIn, record, goodwill);
    note.detail = { ...note.detail, amount: `${amount} ${currency}`.trim() };
    return null;
  },
});

async function tryToKeep(
  signedIn: SignedIn,
  goodwill: Goodwill,
  { before, record }: ChangedSubscription,
  day: string,
) {
  const after = record?.subscription ?? null;
  try {
    await insertGoodwill(database(), signedIn, goodwill, { before, day, after });
  } catch {
    // The date has moved, and the audit log holds the reason.
    logLine(`a goodwill extension to ${before.subscription_id} could not be stored`);
  }
}

/** Reads the record, sends the change, and reads the record again. */
async function change(
  signedIn: SignedIn,
  wanted: SentChange,
  note: AuditNote,
  {
    settlement = null,
    leaving = NOTHING_SAID,
  }: { settlement?: Settlement | null; leaving?: Leaving } = {},
): Promise<ChangedSubscription> {
  const { billing, scope, seller, user, now } = signedIn;
  const { subscription_id } = wanted;
  note.subscription_id = subscription_id;
  const before = await billing.getSubscription(subscription_id);
  const asked = note.detail;
  note.detail = { ...asked, status: before.status };
  const send = () => sendChange(billing, wanted);
  if (wanted.operation === "reschedule")
    await moveBillingDateWithSettlement(
      database(),
      signedIn,
      { before, day: wanted.day, settlement },
      send,
    );
  else if (wanted.operation === "cancel")
    await cancelWithReason(database(), signedIn, before, leaving, send);
  else {
    await send();
    await withdrawLeaving(database(), signedIn, before);
  }
  const moving = wanted.operation === "reschedule" && {
    at: now,
    before: billingDay(before, seller.time_zone),
    after: wanted.day,
    name: user.name,
    is_own: true,
  };
  const read = getSubscription(scope, subscription_id, moving || null);
  const record = await read.catch(nullIfUnreadable);
  if (record)
    note.detail = {
      ...asked,
      ...changeDetail(before, record.subscription, seller.time_zone),
    };
  return { before, record };
}

/** Returns null for a failed read beside a change, which must not make the change fail. */
function nullIfUnreadable(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}
