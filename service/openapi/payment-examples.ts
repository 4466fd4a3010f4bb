import { CorrectionList } from "#contract/customers.ts";
import * as recorded from "#contract/recorded-payments.ts";
import { EXAMPLE_TIME } from "./example-shop.ts";

const SUBSCRIPTION_ID = "3f0c2b7e-9a41-4d6c-8e15-7b2d90c4a6f1";
const PAYMENT_ID = "d6061684-2f0e-4b3a-9c57-81e4a7d09b26";
const by = { id: "user-7", name: "Sita Rai" };
const reason = "The transfer did not arrive.";

const RecordedPayment = {
  id: "5c1d7a04-9f6b-4f53-8d0e-0c4b1f2a7e91",
  subscription_id: SUBSCRIPTION_ID,
  full_name: "Asmita Rai",
  product_name: "Fresh Milk at the Door",
  state: "counted",
  method: "cash",
  amount: "1130.00",
  currency: "NPR",
  reference: "Receipt book 12, page 4",
  received_on: "2026-03-10",
  has_photo: false,
  period_start: null,
  recorded_by_id: by.id,
  recorded_by: by.name,
  recorded_at: EXAMPLE_TIME,
  decided_by: null,
  decided_at: null,
  reason: null,
  payment_id: PAYMENT_ID,
};
const Refund = {
  id: "0b7de3f2-6f5a-4f0b-9c2e-8a1d3c5e7f90",
  payment_id: PAYMENT_ID,
  subscription_id: SUBSCRIPTION_ID,
  full_name: "Asmita Rai",
  amount: "500.00",
  currency: "NPR",
  cause: "requested",
  reason: "Two weeks without a delivery",
  state: "by_hand",
  requested_by: by.name,
  requested_at: EXAMPLE_TIME,
  provider_label: "eSewa",
  place: "merchant.esewa.com.np",
  is_uncertain: false,
  reference: null,
  refusal: null,
  ended_by: null,
  ended_at: null,
};

const PaymentTask = {
  id: "8a1f6c02-3d5b-4e7a-b190-2c4d6e8f0a13",
  kind: "held",
  subscription_id: SUBSCRIPTION_ID,
  full_name: "Asmita Rai",
  product_name: "Fresh Milk at the Door",
  payment_id: null,
  refund_id: null,
  provider: "khalti",
  provider_label: "Khalti",
  reference: "bZQLD9wRVWo4CdESSfuSsB",
  transaction_id: "4H7AhoXDJWg5WjrcPT9ixW",
  amount: "1130.00",
  currency: "NPR",
  answered_amount: "1129.00",
  answered_currency: "NPR",
  detail: "1129.00 NPR",
  opened_at: EXAMPLE_TIME,
  asked_at: null,
  decisions: ["count_as_paid", "give_back", "nothing_came", "ask_again"],
  closed_at: null,
  closed_by: null,
  decision: null,
  note: null,
};

/** Examples of payments that came without the checkout, of refunds, and of money to check. */
export const PAYMENT_EXAMPLES = {
  RecordedPayment,
  RecordedPaymentPage: { next: null, results: [RecordedPayment] },
  Refund,
  RefundPage: { next: null, results: [Refund] },
  OwedPayment: {
    owed: {
      amount: "1130.00",
      vat: "130.00",
      currency: "NPR",
      period_start: null,
      is_early: false,
      needs_approval: false,
    },
    refusal: null,
    recorded: [],
    refunds: [],
  },
  RecordPayment: {
    amount: "1130.00",
    period_start: null,
    method: "cash",
    reference: "Receipt book 12, page 4",
    received_on: "2026-03-10",
    by,
  },
  CorrectionList: {
    ordered_at: null,
    results: [
      {
        id: "6f0e8c1b-2f5a-4a2e-9f43-6a3c1f7b9d20",
        corrected_at: EXAMPLE_TIME,
        changes: [
          { field: "email", before: "asmita@exmaple.com", after: "asmita@example.com" },
        ],
      },
    ],
  },
  ApprovePayment: { by },
  GiveReason: { reason, by },
  RequestRefund: { amount: "500.00", reason: "Two weeks without a delivery", by },
  ConfirmRefund: { reference: "Transfer 88213", by },
  PaymentTask,
  PaymentTaskPage: { open: 1, next: null, results: [PaymentTask] },
  DecidePaymentTask: {
    decision: "count_as_paid",
    note: "The buyer paid the missing rupee in cash.",
    by,
  },
};

/** Schemas of payments, as answers and as requests. */
export const PAYMENT_ANSWERS = {
  RecordedPayment: recorded.RecordedPayment,
  RecordedPaymentPage: recorded.RecordedPaymentPage,
  OwedPayment: recorded.OwedPayment,
  CorrectionList,
  Refund: recorded.Refund,
  RefundPage: recorded.RefundPage,
  PaymentTask: recorded.PaymentTask,
  PaymentTaskPage: recorded.PaymentTaskPage,
};
export const PAYMENT_REQUESTS = {
  RecordPayment: recorded.RecordPayment,
  ApprovePayment: recorded.ApprovePayment,
  GiveReason: recorded.GiveReason,
  RequestRefund: recorded.RequestRefund,
  ConfirmRefund: recorded.ConfirmRefund,
  DecidePaymentTask: recorded.DecidePaymentTask,
};

/** Descriptions of the fields of these schemas, part of `DESCRIPTIONS`. */
export const PAYMENT_DESCRIPTIONS: Record<string, string> = {
  "PaymentTask.id": "The task's id.",
  "PaymentTask.kind":
    "`held`: the provider's answer says neither that the charge was paid nor that it failed. `refunded_by_provider`, `disputed` and `denied`: the provider reports it of a charge that was paid. `statement_only`, `service_only` and `amount_differs`: found by a comparison with the provider's statement. `refund_refused`: a refund that the provider had made has failed, so its money is owed again.",
  "PaymentTask.subscription_id":
    "The subscription; null if the money belongs to none that is known here.",
  "PaymentTask.full_name": "The buyer's name; null without a subscription.",
  "PaymentTask.product_name": "The product's name; null without a subscription.",
  "PaymentTask.payment_id": "The payment; null if the money has paid for nothing yet.",
  "PaymentTask.refund_id": "The refund that the task is about; null for other tasks.",
  "PaymentTask.provider": "The provider; null for money that came another way.",
  "PaymentTask.provider_label": "The provider's name as buyers read it.",
  "PaymentTask.reference": "The payment's reference at the provider.",
  "PaymentTask.transaction_id":
    "The provider's id of the transaction; null until the provider has named one.",
  "PaymentTask.amount": "The expected amount, as decimal text; null if it is not known.",
  "PaymentTask.currency": "The currency of the expected amount.",
  "PaymentTask.detail": "The provider's own words, or what the comparison found.",
  "PaymentTask.answered_amount":
    "The amount that the provider named, as decimal text; null if it named none.",
  "PaymentTask.answered_currency": "The currency that the provider named.",
  "PaymentTask.opened_at": "When the task was opened.",
  asked_at: "When a member last had the provider asked; null if no member had.",
  decisions: "The decisions that can be taken now; none once the task is closed.",
  closed_at: "When the task was closed; null until then.",
  closed_by: "The member who decided; null if the task closed by itself.",
  "PaymentTask.decision":
    "The decision; `settled` if the task closed by itself; null until then.",
  "PaymentTask.note": "The note with the decision.",
  "PaymentTaskPage.open": "Number of open tasks, whatever the filters.",
  "DecidePaymentTask.decision": "One of the task's `decisions`.",
  "DecidePaymentTask.note": "The reason; only `ask_again` needs none.",
  "DecidePaymentTask.by": "The member who decides.",
  refunded: "The part of the amount that was given back, as decimal text.",
  refund_owed: "The part of the amount that still has to be given back, as decimal text.",
  "AccountPayment.dispute": "The buyer's dispute at their bank; null without one.",
  "dispute.state": "`open`, `won` by the seller, or `lost`.",
  "dispute.amount":
    "The amount that the provider keeps back for the dispute now, as decimal text.",
  "dispute.fee":
    "The provider's fee for the dispute, as decimal text; null if the provider does not say.",
  bill_id: "The id of the payment's receipt or VAT bill; null if none was made.",
  reversed_at: "When a recorded payment was taken back; null if it counts.",
  "AccountPayment.recorded":
    "How a member recorded the payment; null for a payment at the checkout.",
  "recorded.id": "The recorded payment's id.",
  "recorded.by": "The member who recorded it.",
  "recorded.approved_by": "The member who approved it; null if it counted at once.",
  "recorded.reference": "What the member noted, such as the number of a receipt or transfer.",
  "RecordedPayment.id": "The recorded payment's id.",
  "RecordedPayment.state":
    "Whether the payment counts, waits for another member, or was declined or taken back.",
  "RecordedPayment.method": "How it was paid.",
  "RecordedPayment.amount": "The amount that was owed and paid, as decimal text.",
  "RecordedPayment.reference":
    "What the member noted, such as the number of a receipt or transfer.",
  "RecordPayment.reference": "A note such as the number of a receipt or transfer.",
  product_name: "The product's name.",
  received_on: "The day on which the money came, in the account's time zone.",
  has_photo: "Whether there is a photo of the receipt.",
  "RecordedPayment.period_start":
    "The billing date for which it pays; null for a first payment.",
  recorded_by_id: "The caller's id of the member who recorded it.",
  recorded_by: "The name of the member who recorded it.",
  "RecordedPayment.recorded_at": "When it was recorded.",
  decided_by: "The member who last approved, declined or took it back; null until then.",
  decided_at: "When a member last approved, declined or took it back; null until then.",
  "RecordedPayment.reason": "Why it was declined or taken back; null otherwise.",
  "RecordedPayment.payment_id": "The payment that was made from it; null if there is none.",
  "Refund.id": "The refund's id.",
  "Refund.payment_id": "The payment whose money goes back; null for money that was not owed.",
  "Refund.amount": "The amount that goes back, as decimal text.",
  "Refund.cause":
    "`requested`: somebody asked for it. `settled`, `changed` and `duplicate`: the buyer's money was not owed, and the service itself gives it back. `settled`: the subscription was paid, or its billing date moved, before the money came; `changed`: the order had changed; `duplicate`: the buyer has another active subscription to the product. `provider`: the provider gave money of a payment back by itself.",
  "Refund.reason":
    "Why somebody asked for it; null where the service itself gives the money back.",
  "Refund.state":
    "`owed`: the provider is to make the refund. `sent`: the provider was asked to make it, and has not answered. `under_way`: the provider is making it. `by_hand`: a person makes and confirms it. `refused` with `ended_at`: it is not made, or the provider made it and it failed, and another refund owes its money. `refused` without `ended_at`: the provider refused it, and it can be tried again, made by hand, or given up. `done`: the money went back.",
  "Refund.provider_label":
    "The provider by which the buyer paid, as buyers know it; null for a payment made another way.",
  "Refund.place": "Where a person makes the refund; null if that is not known.",
  is_uncertain:
    "Whether the provider may have made it already. Look there before you make it by hand.",
  requested_by: "Who requested it; null where the service itself gives the money back.",
  requested_at: "When it was requested.",
  "Refund.reference": "The note of the person who made it; null until then.",
  "Refund.refusal": "Why it is not made, or why the provider last refused it; null otherwise.",
  ended_by:
    "The member who confirmed or refused it; null until then, and where the provider's answer ended it.",
  ended_at: "When it ended; null until then.",
  owed: "The payment that can be recorded now; null if none can.",
  "owed.amount": "The amount that the checkout charges now, as decimal text.",
  "owed.vat": "The tax included in the amount, as decimal text; null if none applies.",
  "owed.period_start": "The billing date that a payment is for; null before the first one.",
  is_early: "Whether the payment is not due yet.",
  needs_approval: "Whether another member has to approve the payment.",
  "CorrectionList.ordered_at":
    "When the buyer ordered the subscription at a shared link; null if the seller created it.",
  "CorrectionList.results": "The corrections, newest first.",
  "CorrectionList.id": "The correction's id.",
  corrected_at: "When the buyer confirmed the correction.",
  "CorrectionList.changes": "What was changed.",
  "CorrectionList.field": "The field: `full_name`, `email` or `address`.",
  "CorrectionList.before": "The value before the correction.",
  "CorrectionList.after": "The value after the correction.",
  "OwedPayment.refusal": "Why no payment can be recorded; null if one can.",
  "OwedPayment.recorded": "The recorded payments, newest first, at most 50.",
  refunds: "The refunds, made or still to be made, newest first, at most 50.",
  "RecordPayment.amount": "The exact amount that is owed, as decimal text.",
  "RecordPayment.period_start":
    "The subscription's `next_billing_cycle` as it was read; null before the first payment.",
  "RecordPayment.method": "How it was paid.",
  photo: "A photo of the receipt, in base64.",
  "RecordPayment.by": "The member who records it.",
  "ApprovePayment.by": "The member who approves it.",
  "GiveReason.by": "The member who gives the reason.",
  "RequestRefund.by": "The member who requests the refund.",
  "ConfirmRefund.by": "The member who made the refund.",
  "by.id": "The caller's id of the member.",
  "by.name": "The member's name.",
  "GiveReason.reason": "The reason.",
  "RequestRefund.amount": "The amount that goes back, as decimal text.",
  "RequestRefund.reason": "Why money goes back.",
  "ConfirmRefund.reference": "The number of the transfer or receipt by which it went back.",
  approve_payments_above:
    "A recorded payment above this amount counts only once another member has approved it; null without a limit.",
};
