"use server";

import * as z from "zod";
import { isAmountAbove } from "#contract/amount.ts";
import { HAND_METHODS } from "#contract/names.ts";
import type { DoneBy } from "#contract/recorded-payments.ts";
import { RescheduleSubscription } from "#contract/subscriptions.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import { sellerAction, type AuditNote } from "#lib/auth/guards/seller-action.ts";
import { can } from "#lib/auth/permissions.ts";
import type { PaymentClient } from "#lib/billing/payment-client.ts";
import { serviceNow } from "#lib/billing/service-clock.ts";
import { actorOf, saveContact } from "#lib/collection/contacts-store.ts";
import { requireBillingCycle } from "#lib/collection/subscription-cycle.ts";
import { database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { fieldFailure } from "#lib/auth/field-failure.ts";
import { isDay } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import { message } from "#lib/i18n/message.ts";
import { lineField } from "#lib/text/line-field.ts";
import { requirePaymentClient } from "./data.ts";
import { readSaidPaid } from "./said-paid-store.ts";

const id = z.uuid();
const { subscription_id } = RescheduleSubscription.shape;

const needed = (most: number) => lineField(most, message("byHand.missing"));

const amount = z
  .string()
  .trim()
  .regex(/^\d{1,12}(\.\d{1,2})?$/, message("byHand.amount"));

/** The person who acts, in the form that the service stores. */
const doneBy = ({ user }: SignedIn) => ({ id: user.id, name: user.name });

/** Asks the service for a change, and writes its amount to the audit note. */
async function change<Changed extends { amount: string; currency: string; method?: string }>(
  signedIn: SignedIn,
  note: AuditNote,
  subscription_id: string,
  ask: (client: PaymentClient, by: DoneBy) => Promise<Changed>,
): Promise<Changed> {
  note.subscription_id = subscription_id;
  const changed = await ask(await requirePaymentClient(signedIn), doneBy(signedIn));
  const { amount, currency, method } = changed;
  note.detail = { amount, currency, ...(method !== undefined && { method }) };
  return changed;
}

export const approvePaymentAction = sellerAction({
  name: "payment.approve",
  permission: "payments:approve",
  input: z.object({ id, subscription_id }),
  run: (signedIn, input, note) =>
    change(signedIn, note, input.subscription_id, (client, by) => client.approve(input.id, by)),
});

export const declinePaymentAction = sellerAction({
  name: "payment.decline",
  permission: "payments:approve",
  input: z.object({ id, subscription_id, reason: needed(500) }),
  run: (signedIn, input, note) =>
    change(signedIn, note, input.subscription_id, (client, by) =>
      client.decline(input.id, by, input.reason),
    ),
});

/** Takes back a recorded payment that was not made; it stays in the list. */
export const reversePaymentAction = sellerAction({
  name: "payment.reverse",
  permission: "payments:record",
  input: z.object({ id, subscription_id, reason: needed(500) }),
  run: (signedIn, input, note) =>
    change(signedIn, note, input.subscription_id, (client, by) =>
      client.reverse(input.id, by, input.reason),
    ),
});

/** Above the account's limit only members who may approve payments give money back. */
export const requestRefundAction = sellerAction({
  name: "refund.request",
  permission: "payments:refund",
  input: z.object({
    key: z.uuid(),
    payment_id: id,
    subscription_id,
    amount,
    reason: needed(500),
  }),
  run: async (signedIn, { key, payment_id, ...input }, note) => {
    note.subscription_id = input.subscription_id;
    const client = await requirePaymentClient(signedIn);
    const { approve_payments_above: limit } = await client.readProfile();
    const isAbove = limit !== null && isAmountAbove(input.amount, limit);
    if (isAbove && !can(signedIn.role, "payments:approve"))
      throw fieldFailure("amount", message("byHand.refund.aboveLimit", { limit }));
    const body = { amount: input.amount, reason: input.reason, by: doneBy(signedIn) };
    const begun = await client.requestRefund(payment_id, body, key);
    note.detail = { amount: begun.amount, currency: begun.currency };
    return begun;
  },
});

export const confirmRefundAction = sellerAction({
  name: "refund.confirm",
  permission: "payments:refund",
  input: z.object({ id, subscription_id, reference: needed(200) }),
  run: (signedIn, input, note) =>
    change(signedIn, note, input.subscription_id, (client, by) =>
      client.confirmRefund(input.id, by, input.reference),
    ),
});

export const refuseRefundAction = sellerAction({
  name: "refund.refuse",
  permission: "payments:refund",
  input: z.object({ id, subscription_id, reason: needed(500) }),
  run: (signedIn, input, note) =>
    change(signedIn, note, input.subscription_id, (client, by) =>
      client.refuseRefund(input.id, by, input.reason),
    ),
});

/** Lets the provider try a refused refund again. */
export const retryRefundAction = sellerAction({
  name: "refund.retry",
  permission: "payments:refund",
  input: z.object({ id, subscription_id }),
  run: (signedIn, input, note) =>
    change(signedIn, note, input.subscription_id, (client) => client.retryRefund(input.id)),
});

/** Leaves it to a member to give back the money, after the provider refused to. */
export const refundByHandAction = sellerAction({
  name: "refund.by_hand",
  permission: "payments:refund",
  input: z.object({ id, subscription_id }),
  run: (signedIn, input, note) =>
    change(signedIn, note, input.subscription_id, (client) => client.refundByHand(input.id)),
});

/** Notes that a buyer says they paid, at a service that cannot record payments. */
export const noteSaidPaidAction = sellerAction({
  name: "payment.note",
  permission: "payments:record",
  input: z.object({
    subscription_id,
    amount,
    currency: lineField(10),
    method: z.enum(HAND_METHODS),
    reference: lineField(200),
    received_on: z.string().refine(isDay, message("collection.day.invalid")),
  }),
  run: async (signedIn, input, note) => {
    const { subscription_id: which, ...detail } = input;
    const now = await serviceNow(signedIn);
    if (detail.received_on > dayInZone(now, signedIn.seller.time_zone))
      throw fieldFailure("received_on", message("byHand.dayAhead"));
    note.subscription_id = which;
    note.detail = {
      amount: detail.amount,
      currency: detail.currency,
      method: detail.method,
    };
    await keepContact(signedIn, { subscription_id: which, kind: "says_paid", detail, now });
    return null;
  },
});

/** Stores the result of checking a note, which then no longer waits. */
export const checkSaidPaidAction = sellerAction({
  name: "payment.check",
  permission: "payments:record",
  input: z.object({ id: z.string().regex(/^\d{1,18}$/), found: z.boolean() }),
  run: async (signedIn, input, note) => {
    const [said] = await readSaidPaid(database(), signedIn.owner, { id: input.id });
    if (!said) throw new AppError({ kind: "not_found" });
    note.subscription_id = said.subscription_id;
    note.detail = { found: input.found, amount: said.amount, currency: said.currency };
    await keepContact(signedIn, {
      subscription_id: said.subscription_id,
      kind: "paid_checked",
      detail: { of: said.id, found: input.found, amount: said.amount, currency: said.currency },
      now: await serviceNow(signedIn),
    });
    return null;
  },
});

async function keepContact(
  signedIn: SignedIn,
  {
    now,
    ...contact
  }: Pick<Parameters<typeof saveContact>[2], "subscription_id" | "kind" | "detail"> & {
    now: string;
  },
) {
  const cycle = await requireBillingCycle(signedIn, contact.subscription_id);
  const clock_at = now === signedIn.now ? null : now;
  await saveContact(database(), actorOf(signedIn), { ...contact, cycle, clock_at });
}
