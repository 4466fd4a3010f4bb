"use server";

import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { MAX_PAGE_SIZE } from "#contract/pagination.ts";
import { CreateSubscription, RescheduleSubscription } from "#contract/subscriptions.ts";
import type { SignedIn } from "#lib/auth/require-seller.ts";
import { sellerAction, type AuditNote } from "#lib/auth/seller-action.ts";
import { rememberCheckoutBase } from "#lib/billing/checkout-base.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { BillingError } from "#lib/billing/errors.ts";
import { database } from "#lib/db/pool.ts";
import { logLine } from "#lib/log.ts";
import { keepCourtesy } from "./courtesy/data.ts";
import {
  KEPT_REASONS,
  needsWords,
  readCourtesyWords,
  type Courtesy,
} from "./courtesy/rules.ts";
import { changeDetail, getSubscription, sendChange, type Change } from "./data.ts";
import type { ChangedSubscription, CreatedRecord } from "./queries.ts";
import { readReuse } from "./rules.ts";

const OneSubscription = RescheduleSubscription.pick({ subscription_id: true });

export const createSubscriptionAction = sellerAction({
  name: "subscription.create",
  permission: "subscriptions:create",
  input: CreateSubscription,
  run: async ({ billing, owner }, input, note): Promise<CreatedRecord> => {
    note.detail = { pbp_id: input.pbp_id };
    const waiting = await listWaiting(billing);
    const created = await billing.createSubscription(input);
    note.subscription_id = created.subscription_id;
    await rememberCheckoutBase(database(), owner, created);
    const { subscription_id } = created;
    const { is_reused, before } = readReuse(created, waiting);
    if (is_reused) note.detail = { ...note.detail, is_reused };
    return { subscription_id, is_reused, before };
  },
});

const PATIENCE_MS = 2_500;

/** The newest that wait for payment, for the words afterwards alone: nothing is held up by them. */
function listWaiting(billing: BillingClient) {
  const search = { status: "pending_checkout", page: 1, page_size: MAX_PAGE_SIZE };
  return Promise.race([
    billing.listSubscriptions(search).catch(nothingToRead),
    delay(PATIENCE_MS, null, { ref: false }),
  ]);
}

export const cancelSubscriptionAction = sellerAction({
  name: "subscription.cancel",
  permission: "subscriptions:cancel",
  input: OneSubscription,
  run: (signedIn, { subscription_id }, note) =>
    change(signedIn, { operation: "cancel", subscription_id }, note),
});

export const resumeSubscriptionAction = sellerAction({
  name: "subscription.resume",
  permission: "subscriptions:resume",
  input: OneSubscription,
  run: (signedIn, { subscription_id }, note) =>
    change(signedIn, { operation: "resume", subscription_id }, note),
});

const GivenCourtesy = z
  .object({
    reason: z.enum(KEPT_REASONS),
    words: z.string().max(1_000).transform(readCourtesyWords),
  })
  .refine((courtesy) => !needsWords(courtesy));

/** In the buyer's favour or not: one way to move a date. The words of a courtesy are kept on the desk alone. */
export const rescheduleSubscriptionAction = sellerAction({
  name: "subscription.reschedule",
  permission: "subscriptions:reschedule",
  input: RescheduleSubscription.extend({ courtesy: GivenCourtesy.optional() }),
  run: async (signedIn, { subscription_id, next_billing_cycle: day, courtesy }, note) => {
    note.detail = { asked_for: day, ...(courtesy && { courtesy: courtesy.reason }) };
    const wanted = { operation: "reschedule", subscription_id, day } as const;
    const changed = await change(signedIn, wanted, note);
    if (courtesy) await tryToKeep(signedIn, courtesy, changed, day);
    return changed;
  },
});

async function tryToKeep(
  signedIn: SignedIn,
  courtesy: Courtesy,
  { before, record }: ChangedSubscription,
  day: string,
) {
  const after = record?.subscription ?? null;
  try {
    await keepCourtesy(database(), signedIn, courtesy, { before, day, after });
  } catch {
    // The date has moved, and the record of what was done says why.
    logLine(`a courtesy to ${before.subscription_id} could not be written down`);
  }
}

/** Reads the record, has it changed, and reads it again. */
async function change(
  { billing, scope, seller }: SignedIn,
  wanted: Change,
  note: AuditNote,
): Promise<ChangedSubscription> {
  const { subscription_id } = wanted;
  note.subscription_id = subscription_id;
  const before = await billing.getSubscription(subscription_id);
  const asked = note.detail;
  note.detail = { ...asked, status: before.status };
  await sendChange(billing, wanted);
  const record = await getSubscription(scope, subscription_id).catch(nothingToRead);
  if (record)
    note.detail = {
      ...asked,
      ...changeDetail(before, record.subscription, seller.time_zone),
    };
  return { before, record };
}

/** What was to be done has been done, so a record that cannot be read is no failure of it. */
function nothingToRead(error: unknown): null {
  if (error instanceof BillingError) return null;
  throw error;
}
