/** Kept apart from the schemas, so that a browser loads these names without zod. */
export const SUBSCRIPTION_STATUSES = [
  "pending_checkout",
  "active",
  "due",
  "pending_cancellation",
  "cancelled",
  "inactive",
] as const;

/** The events of the specification, which every service knows. */
export const SPECIFIED_EVENTS = [
  "checkout.succeeded",
  "checkout.failed",
  "subscription.status_changed",
] as const;
/** All events of Duebook's own service. */
export const EVENT_KINDS = [
  ...SPECIFIED_EVENTS,
  "payment.refunded",
  "payment.refund_failed",
  "payment.disputed",
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const SCENARIO_NAMES = [
  "some_due",
  "last_day_of_grace",
  "endpoint_down",
  "month_of_history",
] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

export const PAYMENT_OUTCOMES = [
  "approve",
  "decline",
  "insufficient_balance",
  "time_out",
  "abandon",
] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

/** How a provider's setting is entered. */
export const SETTING_KINDS = ["text", "secret", "number", "choice", "flag", "json"] as const;
export type SettingKind = (typeof SETTING_KINDS)[number];

/** Kinds of bills. A VAT bill is given by a business with a VAT registration. */
export const BILL_KINDS = ["receipt", "vat_bill", "credit_note", "debit_note"] as const;
export type BillKind = (typeof BILL_KINDS)[number];
/** A seller's fiscal year: that of Nepal begins on 1 Shrawan, that of the calendar on 1 January. */
export const FISCAL_YEARS = ["nepal", "calendar"] as const;

export const MESSAGE_KINDS = ["code", "reminder", "receipt", "test"] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** unknown: the request was sent and the provider did not answer. */
export const MESSAGE_STATES = [
  "queued",
  "sending",
  "accepted",
  "delivered",
  "read",
  "failed",
  "unknown",
  "expired",
  "withdrawn",
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** Ways to pay at the checkout. */
export const CHECKOUT_METHODS = ["wallet", "bank", "card"] as const;
export type CheckoutMethod = (typeof CHECKOUT_METHODS)[number];
/** Ways to pay the seller without the checkout. */
export const HAND_METHODS = ["cash", "transfer", "other"] as const;
export type HandMethod = (typeof HAND_METHODS)[number];
export const PAYMENT_METHODS = [...CHECKOUT_METHODS, ...HAND_METHODS] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** States of a payment that a member recorded; `waiting`: a second member has to approve it. */
export const RECORDED_STATES = ["waiting", "counted", "declined", "reversed"] as const;
export type RecordedState = (typeof RECORDED_STATES)[number];

/** `by_hand`: a person gives the money back and confirms it. */
export const REFUND_STATES = [
  "owed",
  "sent",
  "under_way",
  "done",
  "refused",
  "by_hand",
] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** The accounts of the ledger, in the order in which a statement shows them (ADR 0181). */
export const LEDGER_ACCOUNTS = [
  "provider",
  "cash",
  "buyer",
  "seller",
  "refunds",
  "disputes",
  "provider_fee",
  "our_fee",
] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];
/** Causes for which the ledger books an entry. */
export const JOURNAL_KINDS = [
  "charge",
  "payment",
  "reversal",
  "refund",
  "provider_refund",
  "refund_failed",
  "dispute",
  "dispute_returned",
] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];

/** States of a buyer's dispute about a payment at their bank. */
export const DISPUTE_STATES = ["open", "won", "lost"] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

/** Who made a refund; `provider`: the payment provider by itself. */
export const REFUND_WAYS = ["api", "by_hand", "provider"] as const;
export type RefundWay = (typeof REFUND_WAYS)[number];

/**
 * Why money goes back: a person asked, or it was not owed. settled: the billing date was paid or
 * moved before; changed: the order changed; duplicate: the buyer has another active subscription of
 * the same billing period. provider: the provider gave money back by itself.
 */
export const REFUND_CAUSES = [
  "requested",
  "settled",
  "changed",
  "duplicate",
  "provider",
] as const;
export type RefundCause = (typeof REFUND_CAUSES)[number];

/**
 * Why a person has to look at money. held: an answer that neither pays nor fails;
 * refunded_by_provider, disputed and denied concern money that was paid; statement_only,
 * service_only and amount_differs come from a comparison with a provider's list or statement;
 * refund_refused: a refund that the provider had made has failed.
 */
export const PAYMENT_TASK_KINDS = [
  "held",
  "refunded_by_provider",
  "disputed",
  "denied",
  "statement_only",
  "service_only",
  "amount_differs",
  "refund_refused",
] as const;
export type PaymentTaskKind = (typeof PAYMENT_TASK_KINDS)[number];

/** Decisions that a person can take; `ask_again` leaves the task open. */
export const PAYMENT_TASK_DECISIONS = [
  "count_as_paid",
  "give_back",
  "nothing_came",
  "noted",
  "ask_again",
] as const;
export type PaymentTaskDecision = (typeof PAYMENT_TASK_DECISIONS)[number];
/** How a task ended; `settled`: without a person. */
export const PAYMENT_TASK_ENDS = [
  "count_as_paid",
  "give_back",
  "nothing_came",
  "noted",
  "settled",
] as const;
export type PaymentTaskEnd = (typeof PAYMENT_TASK_ENDS)[number];

/** What became of a reminder that another program handed over. */
export const HANDED_OUTCOMES = [
  "queued",
  "known",
  "off",
  "opted_out",
  "limit",
  "unreachable",
] as const;
export type HandedOutcome = (typeof HANDED_OUTCOMES)[number];

/** How a buyer opted out; `member`: one of the seller's team noted it. */
export const OPT_OUT_WAYS = ["link", "reply", "member"] as const;
export type OptOutWay = (typeof OPT_OUT_WAYS)[number];

/** Why a state was saved: by hand, or automatically before an action that it can undo. */
export const STATE_KINDS = [
  "saved",
  "before_move",
  "before_scenario",
  "before_reset",
  "before_restore",
] as const;
export type StateKind = (typeof STATE_KINDS)[number];

/** The kinds of records whose changes the account API lists. */
export const FEED_KINDS = ["subscription", "customer", "product", "payment"] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** What an API key may do: read, change records, or change the catalogue and settings too. */
export const KEY_SCOPES = ["read", "write", "account"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Keys open the API; the token opens the whole account API, and alone makes keys. */
export const KEY_KINDS = ["api_key", "account_token"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export const KEY_STATES = ["active", "expired", "revoked"] as const;

/** States of the verification of a business. */
export const VERIFICATION_STATES = [
  "verified",
  "not_verified",
  "submitted",
  "returned",
  "suspended",
] as const;
export type VerificationState = (typeof VERIFICATION_STATES)[number];

export const DOCUMENT_KINDS = ["registration", "pan", "identity", "other"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
export const DOCUMENT_TYPES = ["image/png", "image/jpeg", "application/pdf"] as const;
/** The most bytes of a document that a business hands in. */
export const MAX_DOCUMENT_BYTES = 5 * 1_024 * 1_024;
/** The most bytes of an image that a seller uploads. */
export const MAX_IMAGE_BYTES = 5 * 1_024 * 1_024;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const INTERVAL_TYPES = ["day", "week", "month", "year", "one_time"] as const;

/** What an account uses the API for. */
export const USAGE_TYPES = ["payment", "reminder_and_payment"] as const;

/** Channels by which the service itself sends messages. */
export const SENDING_CHANNELS = ["sms", "whatsapp", "email"] as const;
export type SendingChannel = (typeof SENDING_CHANNELS)[number];

/** The protocols by which messages are sent; `http_sms` is any gateway that its settings describe. */
export const MESSAGE_PROVIDERS = [
  "smtp",
  "sparrow",
  "aakash",
  "twilio",
  "whatsapp_cloud",
  "http_sms",
] as const;
export type MessageProvider = (typeof MESSAGE_PROVIDERS)[number];

/** When a step of a schedule is sent: around the billing date, or after a checkout was left. */
export const REMINDER_STEPS = [
  "before",
  "on_day",
  "after",
  "last_day",
  "checkout_left",
] as const;
export type ReminderStepKind = (typeof REMINDER_STEPS)[number];

/** Placeholders that a step's texts may contain, in braces. */
export const REMINDER_PLACEHOLDERS = [
  "name",
  "product",
  "plan",
  "seller",
  "amount",
  "date",
  "days",
  "link",
  "pay_to",
  "stop",
] as const;
export type ReminderPlaceholder = (typeof REMINDER_PLACEHOLDERS)[number];

/** The languages in which the service itself writes to buyers. */
export const MESSAGE_LANGUAGES = ["en", "ne"] as const;
export type MessageLanguage = (typeof MESSAGE_LANGUAGES)[number];
/** The most languages in which a seller can write texts. */
export const MOST_LANGUAGES = 12;

/** A reminder of a day: still to be planned, held, or the state of its message. */
export const PLANNED_STATES = ["planned", "held", ...MESSAGE_STATES] as const;
export type PlannedState = (typeof PLANNED_STATES)[number];

/** Why an account at a payment provider was compared with what the provider says. */
export const COMPARISON_SOURCES = ["daily", "asked", "statement"] as const;
/** The most payments of a provider's statement that one request compares. */
export const MOST_STATEMENT_ROWS = 2_000;
/** `unclear`: the statement has a state that is not known. */
export const STATEMENT_STATES = ["paid", "refunded", "unpaid", "unclear"] as const;
export type StatementState = (typeof STATEMENT_STATES)[number];
/** Why the statement and the account do not agree on a payment. */
export const STATEMENT_OUTCOMES = [
  "statement_only",
  "service_only",
  "differing",
  "unclear",
] as const;
export type StatementOutcome = (typeof STATEMENT_OUTCOMES)[number];

/** Details that a buyer can correct; not the phone number, which proves who they are. */
export const CORRECTED_FIELDS = ["full_name", "email", "address"] as const;
export type CorrectedField = (typeof CORRECTED_FIELDS)[number];

/** Kinds and states of the requests that buyers make on their page. */
export const BUYER_REQUEST_KINDS = ["pause", "stop"] as const;
export type BuyerRequestKind = (typeof BUYER_REQUEST_KINDS)[number];
export const BUYER_REQUEST_STATES = ["open", "accepted", "declined", "withdrawn"] as const;

/** What a seller can do with the shared link of a billing period. */
export const SHARED_LINK_CHANGES = ["open", "pause", "renew"] as const;
export type SharedLinkChange = (typeof SHARED_LINK_CHANGES)[number];
/** Why nobody can order by shared links, whatever their state. */
export const SHARED_LINK_PROBLEMS = [
  "suspended",
  "no_usage_type",
  "no_payment",
  "no_codes",
] as const;
export type SharedLinkProblem = (typeof SHARED_LINK_PROBLEMS)[number];

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;
