import * as z from "zod";
import { FIELD_MESSAGES } from "./field-messages.ts";
import {
  HAND_METHODS,
  PAYMENT_TASK_DECISIONS,
  PAYMENT_TASK_ENDS,
  PAYMENT_TASK_KINDS,
  RECORDED_STATES,
  REFUND_CAUSES,
  REFUND_STATES,
} from "./names.ts";
import {
  anyText,
  defineSentAndReceived,
  filledText,
  PageSize,
  required,
  textLine,
  type WireTypes,
} from "./wire.ts";

const recordedPayment = (wire: WireTypes) =>
  wire.object({
    id: wire.id,
    subscription_id: wire.text,
    full_name: wire.text,
    product_name: wire.text,
    state: wire.oneOf(RECORDED_STATES),
    method: wire.oneOf(HAND_METHODS),
    amount: wire.decimal,
    currency: wire.text,
    reference: wire.text,
    received_on: wire.date,
    has_photo: wire.boolean,
    /** The billing date that it pays for; null for a first payment. */
    period_start: wire.nullable(wire.datetime),
    recorded_by_id: wire.text,
    recorded_by: wire.text,
    recorded_at: wire.datetime,
    /** Who approved, declined or reversed the payment last, and why; null until then. */
    decided_by: wire.nullable(wire.text),
    decided_at: wire.nullable(wire.datetime),
    reason: wire.nullable(wire.text),
    /** The payment that it led to. */
    payment_id: wire.nullable(wire.text),
  });

export const [RecordedPayment, ReceivedRecordedPayment] =
  defineSentAndReceived(recordedPayment);
export type RecordedPayment = z.output<typeof RecordedPayment>;

export const [RecordedPaymentPage, ReceivedRecordedPaymentPage] = defineSentAndReceived(
  (wire) =>
    wire.object({ next: wire.nullable(wire.text), results: wire.list(recordedPayment(wire)) }),
);
export type RecordedPaymentPage = z.output<typeof RecordedPaymentPage>;

const refund = (wire: WireTypes) =>
  wire.object({
    id: wire.id,
    /** The payment that is given back; null if the money was not owed and so became no payment. */
    payment_id: wire.nullable(wire.text),
    subscription_id: wire.text,
    full_name: wire.text,
    amount: wire.decimal,
    currency: wire.text,
    cause: wire.oneOf(REFUND_CAUSES),
    /** Free text of the person who asked; null if the service itself refunds. */
    reason: wire.nullable(wire.text),
    state: wire.oneOf(REFUND_STATES),
    requested_by: wire.nullable(wire.text),
    requested_at: wire.datetime,
    /** The provider by which the buyer paid, as buyers know it; null for a payment made another way. */
    provider_label: wire.nullable(wire.text),
    /** The place at which a person refunds by hand, if known. */
    place: wire.nullable(wire.text),
    /**
     * Whether the refund may have been made already, so that a person checks at the provider first.
     */
    is_uncertain: wire.boolean,
    /** The reference of the refund that a person made and confirmed. */
    reference: wire.nullable(wire.text),
    /** Why a person or the provider last refused the refund. */
    refusal: wire.nullable(wire.text),
    ended_by: wire.nullable(wire.text),
    ended_at: wire.nullable(wire.datetime),
  });

export const [Refund, ReceivedRefund] = defineSentAndReceived(refund);
export type Refund = z.output<typeof Refund>;

export const [RefundPage, ReceivedRefundPage] = defineSentAndReceived((wire) =>
  wire.object({ next: wire.nullable(wire.text), results: wire.list(refund(wire)) }),
);
export type RefundPage = z.output<typeof RefundPage>;

/** GET /account/v1/subscriptions/{id}/payments/. */
export const [OwedPayment, ReceivedOwedPayment] = defineSentAndReceived((wire) =>
  wire.object({
    /** The amount that a payment recorded now must have; null if none can be recorded. */
    owed: wire.nullable(
      wire.object({
        amount: wire.decimal,
        vat: wire.nullable(wire.decimal),
        currency: wire.text,
        period_start: wire.nullable(wire.datetime),
        /** Whether the payment is not due yet. */
        is_early: wire.boolean,
        needs_approval: wire.boolean,
      }),
    ),
    /** Why no payment can be recorded. */
    refusal: wire.nullable(wire.text),
    /** Newest first, at most 50 of each. */
    recorded: wire.list(recordedPayment(wire)),
    refunds: wire.list(refund(wire)),
  }),
);
export type OwedPayment = z.output<typeof OwedPayment>;

/** The person who acts, by the caller's own user id; stored with the action. */
export const DoneBy = z.strictObject({ id: textLine(100), name: textLine(200) });
export type DoneBy = z.output<typeof DoneBy>;

const Reason = filledText(500);

const Amount = z
  .string(required("Send an amount as text, such as 1130.00."))
  .regex(/^\d{1,12}(\.\d{1,2})?$/, "Send an amount as text, such as 1130.00.");

/** Body of POST /account/v1/subscriptions/{id}/payments/. */
export const RecordPayment = z.strictObject({
  amount: Amount,
  /** The billing date that it pays for, as it was read; null before the first payment. */
  period_start: z.iso
    .datetime({ offset: true, error: "Send the subscription's next_billing_cycle, or null." })
    .nullable(),
  method: z.enum(HAND_METHODS, `Use one of ${HAND_METHODS.join(", ")}.`),
  reference: anyText(200).default(""),
  received_on: z.iso.date("Send a day as YYYY-MM-DD."),
  /** The bytes in base64. */
  photo: z.base64("Send the bytes in base64.").min(1, FIELD_MESSAGES.blank).optional(),
  by: DoneBy,
});
export type RecordPayment = z.output<typeof RecordPayment>;

export const ApprovePayment = z.strictObject({ by: DoneBy });
/** Body of actions that need a reason: declining, reversing and refusing. */
export const GiveReason = z.strictObject({ reason: Reason, by: DoneBy });

export const RequestRefund = z.strictObject({ amount: Amount, reason: Reason, by: DoneBy });
export type RequestRefund = z.output<typeof RequestRefund>;

export const ConfirmRefund = z.strictObject({ reference: textLine(200), by: DoneBy });

/** The query of GET /account/v1/recorded-payments/. */
export const RecordedQuery = z.object({
  state: z.enum(RECORDED_STATES, `Use one of ${RECORDED_STATES.join(", ")}.`).optional(),
  before: z.uuid().optional(),
  page_size: PageSize,
});

/** The query of GET /account/v1/refunds/. */
export const RefundQuery = z.object({
  is_open: z.enum(["true", "false"], 'Use "true" or "false".').optional(),
  payment_id: z.uuid().optional(),
  before: z.uuid().optional(),
  page_size: PageSize,
});

const paymentTask = (wire: WireTypes) =>
  wire.object({
    id: wire.id,
    kind: wire.oneOf(PAYMENT_TASK_KINDS),
    /** Null if the payment belongs to no subscription that is known here. */
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
    /** `amount` is the service's, `answered_amount` the provider's. */
    amount: wire.nullable(wire.decimal),
    currency: wire.nullable(wire.text),
    answered_amount: wire.nullable(wire.decimal),
    answered_currency: wire.nullable(wire.text),
    /** The provider's word for the state, or the result of a comparison. */
    detail: wire.nullable(wire.text),
    opened_at: wire.datetime,
    /** When a member last had the provider asked. */
    asked_at: wire.nullable(wire.datetime),
    /** The decisions that are possible now; none once the task is closed. */
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
    /** The number of open tasks. */
    open: wire.integer,
    next: wire.nullable(wire.text),
    results: wire.list(paymentTask(wire)),
  }),
);
export type PaymentTaskPage = z.output<typeof PaymentTaskPage>;

/** A member's note; empty if there is none. */
export const OptionalWords = anyText(500).default("");

/** Body of POST /account/v1/payment-tasks/{id}/decide/; only asking again needs no note. */
export const DecidePaymentTask = z.strictObject({
  decision: z.enum(PAYMENT_TASK_DECISIONS, `Use one of ${PAYMENT_TASK_DECISIONS.join(", ")}.`),
  note: OptionalWords,
  by: DoneBy,
});
export type DecidePaymentTask = z.output<typeof DecidePaymentTask>;

/** The query of GET /account/v1/payment-tasks/ and /account/v1/buyer-requests/. */
export const PaymentTaskQuery = z.object({
  is_open: z.enum(["true", "false"], 'Use "true" or "false".').optional(),
  subscription_id: z.uuid().optional(),
  before: z.uuid().optional(),
  page_size: PageSize,
});
export type PaymentTaskQuery = z.output<typeof PaymentTaskQuery>;
