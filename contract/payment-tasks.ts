import * as z from "zod";
import { FIELD_MESSAGES, isPlainText, tooLongMessage } from "./field-messages.ts";
import { PAYMENT_TASK_DECISIONS, PAYMENT_TASK_ENDS, PAYMENT_TASK_KINDS } from "./names.ts";
import { DoneBy } from "./recorded-payments.ts";
import { defineSentAndReceived, type WireTypes } from "./wire.ts";

const paymentTask = (wire: WireTypes) =>
  wire.object({
    id: wire.id,
    kind: wire.oneOf(PAYMENT_TASK_KINDS),
    /** Null where it is of no subscription that is known here. */
    subscription_id: wire.nullable(wire.text),
    full_name: wire.nullable(wire.text),
    product_name: wire.nullable(wire.text),
    payment_id: wire.nullable(wire.text),
    refund_id: wire.nullable(wire.text),
    /** The account at a provider; null for money that came another way. */
    provider: wire.nullable(wire.text),
    provider_label: wire.nullable(wire.text),
    reference: wire.nullable(wire.text),
    transaction_id: wire.nullable(wire.text),
    /** By the service, and as the provider says. */
    amount: wire.nullable(wire.decimal),
    currency: wire.nullable(wire.text),
    answered_amount: wire.nullable(wire.decimal),
    answered_currency: wire.nullable(wire.text),
    /** The provider's word, or what was found. */
    detail: wire.nullable(wire.text),
    opened_at: wire.datetime,
    /** When a member last had the provider asked. */
    asked_at: wire.nullable(wire.datetime),
    /** What can be decided now; none once it is closed. */
    decisions: wire.list(wire.oneOf(PAYMENT_TASK_DECISIONS)),
    closed_at: wire.nullable(wire.datetime),
    closed_by: wire.nullable(wire.text),
    decision: wire.nullable(wire.oneOf(PAYMENT_TASK_ENDS)),
    note: wire.nullable(wire.text),
  });

export const [PaymentTask, ReceivedPaymentTask] = defineSentAndReceived(paymentTask);
export type PaymentTask = z.output<typeof PaymentTask>;

export const [PaymentTaskPage, ReceivedPaymentTaskPage] = defineSentAndReceived((wire) =>
  wire.object({
    /** How many are open. */
    open: wire.integer,
    next: wire.nullable(wire.text),
    results: wire.list(paymentTask(wire)),
  }),
);
export type PaymentTaskPage = z.output<typeof PaymentTaskPage>;

/** Body of POST /account/v1/payment-tasks/{id}/decide/; only asking again needs no note. */
export const DecidePaymentTask = z.strictObject({
  decision: z.enum(PAYMENT_TASK_DECISIONS, `Use one of ${PAYMENT_TASK_DECISIONS.join(", ")}.`),
  note: z
    .string()
    .trim()
    .max(500, tooLongMessage(500))
    .refine(isPlainText, FIELD_MESSAGES.hidden)
    .default(""),
  by: DoneBy,
});
export type DecidePaymentTask = z.output<typeof DecidePaymentTask>;

/** The query of GET /account/v1/payment-tasks/. */
export const PaymentTaskQuery = z.object({
  is_open: z.enum(["true", "false"], 'Use "true" or "false".').optional(),
  subscription_id: z.uuid().optional(),
  before: z.uuid().optional(),
  page_size: z.coerce.number().pipe(z.int().min(1).max(100)).default(20),
});
export type PaymentTaskQuery = z.output<typeof PaymentTaskQuery>;
