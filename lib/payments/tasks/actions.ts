"use server";

import * as z from "zod";
import type { DecidePaymentTask, PaymentTask } from "#contract/recorded-payments.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import { sellerAction, type AuditNote } from "#lib/auth/guards/seller-action.ts";
import { requireAccountClient } from "#lib/billing/account.ts";
import { PaymentClient } from "#lib/billing/payment-client.ts";
import { message } from "#lib/i18n/message.ts";
import { lineField } from "#lib/text/line-field.ts";
import { TASK_DECISIONS } from "./rules.ts";

const id = z.uuid();

async function decide(
  signedIn: SignedIn,
  audit: AuditNote,
  task_id: string,
  { decision, note }: Omit<DecidePaymentTask, "by">,
): Promise<PaymentTask> {
  const client = await requireAccountClient(signedIn.owner, PaymentClient);
  const by = { id: signedIn.user.id, name: signedIn.user.name };
  const task = await client.decideTask(task_id, { decision, note, by });
  if (task.subscription_id !== null) audit.subscription_id = task.subscription_id;
  audit.detail = {
    decision,
    ...(task.amount !== null && { amount: task.amount }),
    ...(task.currency !== null && { currency: task.currency }),
  };
  return task;
}

/**
 * Stores a decision about money with its note; the second of two concurrent decisions gets a
 * conflict.
 */
export const decidePaymentTaskAction = sellerAction({
  name: "payment.decide",
  permission: "payments:approve",
  input: z.object({
    id,
    decision: z.enum(TASK_DECISIONS, message("moneyToCheck.decide.missing")),
    note: lineField(500, message("byHand.missing")),
  }),
  run: (signedIn, input, audit) => decide(signedIn, audit, input.id, input),
});

/** Has the service ask the provider now. */
export const askAgainAction = sellerAction({
  name: "payment.ask",
  permission: "payments:record",
  input: z.object({ id }),
  run: (signedIn, input, audit) =>
    decide(signedIn, audit, input.id, { decision: "ask_again", note: "" }),
});
