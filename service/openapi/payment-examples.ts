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

/** Their schemas, as answers and as requests. */
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

/** Their fields, as `DESCRIPTIONS` has them. */
export const PAYMENT_DESCRIPTIONS: Record<string, string> = {
  "PaymentTask.id": "The task's id.",
  "PaymentTask.kind":
    "`held`: an answer that neither pays nor fails. `refunded_by_provider`, `disputed` and `denied`: of what is paid. `statement_only`, `service_only` and `amount_differs`: found by a comparison with the provider's statement. `refund_refused`: a refund that the provider had made has failed, so its money is owed again.",
  "PaymentTask.subscription_id": "The subscription; null if it is of none that is known here.",
  "PaymentTask.full_name": "The buyer's name; null without a subscription.",
  "PaymentTask.product_name": "The product's name; null without a subscription.",
  "PaymentTask.payment_id": "The payment; null if it pays nothing yet.",
  "PaymentTask.refund_id": "The refund that it is about; null for another one.",
  "PaymentTask.provider": "The provider; null for money that came another way.",
  "PaymentTask.provider_label": "What buyers read as the provider's name.",
  "PaymentTask.reference": "What the provider calls the payment.",
  "PaymentTask.transaction_id": "The provider's id of the payment, once it told one.",
  "PaymentTask.amount": "What it should be, as decimal text; null if that is not known.",
  "PaymentTask.currency": "Its currency.",
  "PaymentTask.detail": "The provider's own word, or what was found.",
  answered_amount: "What the provider says, as decimal text; null if it named none.",
  answered_currency: "The currency of that.",
  opened_at: "Since when it is to be decided.",
  asked_at: "When a member last had the provider asked; null if none had.",
  decisions: "What can be decided about it now; none once it is closed.",
  closed_at: "When it was decided; null until then.",
  closed_by: "Who decided it; null if it closed by itself.",
  "PaymentTask.decision":
    "What was decided; `settled` if it closed by itself; null until then.",
  "PaymentTask.note": "The note with the decision.",
  "PaymentTaskPage.open": "How many are open, whatever the filters.",
  "DecidePaymentTask.decision": "One of the task's `decisions`.",
  "DecidePaymentTask.note": "Why; `ask_again` alone needs none.",
  "DecidePaymentTask.by": "Who decides.",
  refunded: "What was given back of the amount, as decimal text.",
  refund_owed: "What still has to be given back, as decimal text.",
  reversed_at: "When a recorded payment was taken back; null if it counts.",
  "AccountPayment.recorded":
    "How a member recorded the payment; null for a payment at the checkout.",
  "recorded.id": "The recorded payment's id.",
  "recorded.by": "Who recorded it.",
  "recorded.approved_by": "Who approved it; null if it counted at once.",
  "recorded.reference": "What the member noted, such as the number of a receipt or transfer.",
  "RecordedPayment.id": "The recorded payment's id.",
  "RecordedPayment.state":
    "Whether it counts, waits for another member, or was declined or taken back.",
  "RecordedPayment.method": "How it was paid.",
  "RecordedPayment.amount": "What was owed and paid, as decimal text.",
  "RecordedPayment.reference":
    "What the member noted, such as the number of a receipt or transfer.",
  "RecordPayment.reference": "A note such as the number of a receipt or transfer.",
  product_name: "The product's name.",
  received_on: "The day on which the money came, in the account's time zone.",
  has_photo: "Whether there is a photo of the receipt.",
  "RecordedPayment.period_start":
    "The billing date that it pays for; null for a first payment.",
  recorded_by_id: "Who recorded it, as the caller names its users.",
  recorded_by: "The name of who recorded it.",
  recorded_at: "When it was recorded.",
  decided_by: "Who approved, declined or took it back last; null until then.",
  decided_at: "When that was.",
  "RecordedPayment.reason": "Why it was declined or taken back; null otherwise.",
  "RecordedPayment.payment_id": "The payment that it led to; null if it led to none.",
  "Refund.id": "The refund's id.",
  "Refund.payment_id":
    "The payment of which money goes back; null for money that came for nothing owed.",
  "Refund.amount": "What goes back, as decimal text.",
  "Refund.cause":
    "`requested`: somebody asked for it. The others: the buyer's money came for nothing owed, and the service itself gives it back. `settled`: it was paid or its date moved before; `changed`: the order had changed; `duplicate`: the buyer has another active subscription to the product. `provider`: the provider gave money of a payment back by itself.",
  "Refund.reason": "Why it was asked for; null where the service itself gives it back.",
  "Refund.state":
    "`owed`: the provider is to make it. `sent`: it was asked to, and its answer is awaited. `under_way`: it makes it. `by_hand`: a person makes and confirms it. `refused`: with `ended_at` it is not made, or the provider had made it and it failed, and another refund owes its money; without, the provider refused it, and it can be tried again, made by hand, or not made. `done`: the money went back.",
  "Refund.provider_label":
    "The provider by which the buyer paid, as buyers know it; null for a payment made another way.",
  "Refund.place": "Where it is made by hand; null if that is not known.",
  is_uncertain:
    "Whether the provider may have made it already. Look there before you make it by hand.",
  requested_by: "Who began it; null where the service itself gives it back.",
  requested_at: "When it was begun.",
  "Refund.reference": "What the person who made it noted; null until then.",
  "Refund.refusal": "Why it is not made, or why the provider last refused it; null otherwise.",
  ended_by:
    "Who confirmed or refused it; null until then, and where the provider's answer ended it.",
  ended_at: "When it ended; null until then.",
  owed: "What a payment now has to be; null if none can be recorded.",
  "owed.amount": "The amount that the checkout asks now, as decimal text.",
  "owed.vat": "The tax inside it, as decimal text; null if none applies.",
  "owed.period_start": "The billing date that a payment is for; null before the first one.",
  is_early: "Whether it is not due yet.",
  needs_approval: "Whether another member has to approve it.",
  "CorrectionList.results": "The corrections, newest first.",
  "CorrectionList.id": "The correction's id.",
  corrected_at: "When the buyer confirmed it.",
  "CorrectionList.changes": "What was changed.",
  "CorrectionList.field": "The field: `full_name`, `email` or `address`.",
  "CorrectionList.before": "What it was.",
  "CorrectionList.after": "What it is since.",
  "OwedPayment.refusal": "Why no payment can be recorded; null if one can.",
  "OwedPayment.recorded": "What was recorded, newest first, at most 50.",
  refunds: "What was given back or is to be, newest first, at most 50.",
  "RecordPayment.amount": "What is owed, exactly, as decimal text.",
  "RecordPayment.period_start":
    "The subscription's `next_billing_cycle` as it was read; null before the first payment.",
  "RecordPayment.method": "How it was paid.",
  photo: "A photo of the receipt, in base64.",
  "RecordPayment.by": "Who records it.",
  "ApprovePayment.by": "Who approves it.",
  "GiveReason.by": "Who does it.",
  "RequestRefund.by": "Who gives it back.",
  "ConfirmRefund.by": "Who made it.",
  "by.id": "The member's id at the caller.",
  "by.name": "The member's name.",
  "GiveReason.reason": "Why.",
  "RequestRefund.amount": "How much goes back, as decimal text.",
  "RequestRefund.reason": "Why money goes back.",
  "ConfirmRefund.reference": "The number of the transfer or receipt by which it went back.",
  approve_payments_above:
    "A recorded payment above this amount counts when another member approves it; null without a limit.",
};
