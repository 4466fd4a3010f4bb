import * as z from "zod";
import { FIELD_MESSAGES, isPlainText } from "./field-messages.ts";
import {
  BILL_KINDS,
  DISPUTE_STATES,
  FISCAL_YEARS,
  JOURNAL_KINDS,
  LEDGER_ACCOUNTS,
  PAYMENT_METHODS,
} from "./names.ts";
import { defineSentAndReceived, strictTypes, PageSize, type WireTypes } from "./wire.ts";

export const paymentRecord = (wire: WireTypes) =>
  wire.object({
    payment_id: wire.id,
    /** The reference on the buyer's receipt: the first eight characters of the id, in capitals. */
    reference: wire.text,
    subscription_id: wire.text,
    customer: wire.object({
      id: wire.number_id,
      full_name: wire.text,
      buyer_phone: wire.text,
      buyer_email: wire.text,
    }),
    product: wire.object({ product_id: wire.text, name: wire.text, plan_name: wire.text }),
    amount: wire.decimal,
    currency: wire.text,
    /** The tax inside the amount; null when none applies. */
    vat: wire.nullable(wire.decimal),
    fee: wire.decimal,
    method: wire.oneOf(PAYMENT_METHODS),
    provider_reference: wire.nullable(wire.text),
    /** The amounts that were refunded and that still have to be. */
    refunded: wire.decimal,
    refund_owed: wire.decimal,
    /** The buyer's dispute at their bank; `amount` is what the provider keeps back for it now. */
    dispute: wire.nullable(
      wire.object({
        state: wire.oneOf(DISPUTE_STATES),
        amount: wire.decimal,
        fee: wire.nullable(wire.decimal),
      }),
    ),
    /** The payment's receipt or VAT bill; null if the service made none. */
    bill_id: wire.nullable(wire.id),
    /** When a member declared that this recorded payment was not made; null for all others. */
    reversed_at: wire.nullable(wire.datetime),
    /** How a member recorded the payment; null for a payment at the checkout. */
    recorded: wire.nullable(
      wire.object({
        id: wire.text,
        by: wire.text,
        approved_by: wire.nullable(wire.text),
        reference: wire.text,
        received_on: wire.date,
        has_photo: wire.boolean,
      }),
    ),
    period_start: wire.datetime,
    paid_at: wire.datetime,
  });

export const AccountPayment = paymentRecord(strictTypes);
export type AccountPayment = z.output<typeof AccountPayment>;

export const [AccountPaymentPage, ReceivedAccountPaymentPage] = defineSentAndReceived((wire) =>
  wire.object({ next: wire.nullable(wire.text), results: wire.list(paymentRecord(wire)) }),
);
export type AccountPaymentPage = z.output<typeof AccountPaymentPage>;

/** The query of GET /account/v1/payments/. */
export const PaymentQuery = z.object({
  reference: z
    .string()
    .trim()
    .min(4, "Write at least four characters of the reference.")
    .max(200, "A reference has at most 200 characters.")
    .refine(isPlainText, FIELD_MESSAGES.hidden)
    .optional(),
  customer_id: z.coerce.number().pipe(z.int().positive()).optional(),
  subscription_id: z.uuid().optional(),
  amount: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,2})?$/, "Write an amount such as 1299.00.")
    .optional(),
  // PostgreSQL has no year 0.
  day: z.iso
    .date("Write a day as YYYY-MM-DD.")
    .refine((text) => text >= "0001", "Choose a later day.")
    .optional(),
  before: z.uuid().optional(),
  page_size: PageSize,
});
export type PaymentQuery = z.output<typeof PaymentQuery>;

/**
 * One account of the ledger in one currency; only the account `provider` has `provider` and
 * `account_id`.
 */
const account = (wire: WireTypes) => ({
  account: wire.oneOf(LEDGER_ACCOUNTS),
  /** The provider that holds the money; `sandbox` also for payments before charges existed. */
  provider: wire.nullable(wire.text),
  account_id: wire.nullable(wire.integer),
  /** The provider's name, or what buyers read instead. */
  label: wire.nullable(wire.text),
  currency: wire.text,
});

/** GET /account/v1/balances/. */
export const [LedgerBalances, ReceivedLedgerBalances] = defineSentAndReceived((wire) =>
  wire.object({
    /** Debits less credits; the balances of each currency add up to zero. */
    balances: wire.list(wire.object({ ...account(wire), balance: wire.signed_decimal })),
  }),
);
export type LedgerBalances = z.output<typeof LedgerBalances>;

/** GET /account/v1/statements/{YYYY-MM}/. */
export const [MonthlyStatement, ReceivedStatement] = defineSentAndReceived((wire) =>
  wire.object({
    month: wire.text,
    time_zone: wire.text,
    from: wire.datetime,
    /** The first moment after the month. */
    until: wire.datetime,
    /** Whether the month has ended, so that nothing is added to it. */
    is_complete: wire.boolean,
    /** opening + debit - credit = closing. */
    accounts: wire.list(
      wire.object({
        ...account(wire),
        opening: wire.signed_decimal,
        debit: wire.decimal,
        credit: wire.decimal,
        closing: wire.signed_decimal,
      }),
    ),
    totals: wire.list(
      wire.object({
        currency: wire.text,
        payments: wire.integer,
        /** The sum of the payments in the list of payments. */
        paid: wire.decimal,
        taken_back: wire.decimal,
        given_back: wire.decimal,
        /** The amount that providers keep for disputes. */
        disputed: wire.signed_decimal,
        provider_fee: wire.signed_decimal,
        service_fee: wire.signed_decimal,
        /** The amount that remains for the seller. */
        net: wire.signed_decimal,
      }),
    ),
    next: wire.nullable(wire.text),
    /** Entries in order of time. */
    entries: wire.list(
      wire.object({
        id: wire.number_id,
        kind: wire.oneOf(JOURNAL_KINDS),
        booked_at: wire.datetime,
        subscription_id: wire.text,
        full_name: wire.text,
        charge_id: wire.nullable(wire.text),
        payment_id: wire.nullable(wire.text),
        refund_id: wire.nullable(wire.text),
        /** The provider's reference, or the one that a person noted. */
        reference: wire.nullable(wire.text),
        lines: wire.list(
          wire.object({ ...account(wire), debit: wire.decimal, credit: wire.decimal }),
        ),
      }),
    ),
  }),
);
export type MonthlyStatement = z.output<typeof MonthlyStatement>;

export const MAX_STATEMENT_PAGE = 500;

/** A month of the years 1900 to 2099, which PostgreSQL and the calendars know. */
export const StatementMonth = z
  .string()
  .regex(/^(19|20)\d{2}-(0[1-9]|1[0-2])$/, "Write a month as YYYY-MM.");

export const StatementQuery = z.object({
  after: z.coerce.number().pipe(z.int().positive()).optional(),
  page_size: z.coerce.number().pipe(z.int().min(1).max(MAX_STATEMENT_PAGE)).default(100),
});
export type StatementQuery = z.output<typeof StatementQuery>;

export const StatementPdfQuery = z.object({
  language: z.enum(["en", "ne"], "Use en or ne.").default("en"),
});

/** GET /account/v1/bills/. */
export const [AccountBillPage, ReceivedAccountBillPage] = defineSentAndReceived((wire) =>
  wire.object({
    /** Totals of all matching bills, by kind and currency; null after the first page. */
    totals: wire.nullable(
      wire.list(
        wire.object({
          kind: wire.oneOf(BILL_KINDS),
          currency: wire.text,
          bills: wire.integer,
          amount: wire.decimal,
          vat: wire.decimal,
        }),
      ),
    ),
    next: wire.nullable(wire.text),
    /** Bills in the order in which they were issued, or newest first. */
    results: wire.list(
      wire.object({
        id: wire.id,
        kind: wire.oneOf(BILL_KINDS),
        fiscal_year: wire.text,
        /** The number as printed on the bill, with prefix, kind and fiscal year. */
        number: wire.text,
        payment_id: wire.id,
        subscription_id: wire.text,
        /** The number of the bill that a credit or debit note corrects. */
        corrects: wire.nullable(wire.text),
        buyer: wire.text,
        buyer_pan: wire.nullable(wire.text),
        currency: wire.text,
        amount: wire.decimal,
        /** The tax inside the amount; null when none applies. */
        vat: wire.nullable(wire.decimal),
        issued_at: wire.datetime,
      }),
    ),
  }),
);
export type AccountBillPage = z.output<typeof AccountBillPage>;

export const MAX_BILL_PAGE = 500;

const BillDay = z.iso
  .date("Write a day as YYYY-MM-DD.")
  .refine((text) => text >= "0001", "Choose a later day.");

export const BillQuery = z.object({
  payment_id: z.uuid().optional(),
  subscription_id: z.uuid().optional(),
  fiscal_year: z
    .string()
    .regex(/^\d{4}(\/\d{2})?$/, "Write a fiscal year as 2083/84 or 2026.")
    .optional(),
  from: BillDay.optional(),
  until: BillDay.optional(),
  number: z
    .string()
    .trim()
    .min(1, FIELD_MESSAGES.blank)
    .max(40, "A bill's number has at most 40 characters.")
    .refine(isPlainText, FIELD_MESSAGES.hidden)
    .optional(),
  order: z.enum(["oldest", "newest"], "Use oldest or newest.").default("oldest"),
  after: z.uuid().optional(),
  page_size: z.coerce.number().pipe(z.int().min(1).max(MAX_BILL_PAGE)).default(100),
});
export type BillQuery = z.output<typeof BillQuery>;

/** GET /account/v1/bills/settings/. */
export const [BillSettings, ReceivedBillSettings] = defineSentAndReceived((wire) =>
  wire.object({
    issues_vat_bills: wire.boolean,
    /** If null, bills show the number of the verification, or none. */
    pan: wire.nullable(wire.text),
    address: wire.nullable(wire.text),
    verified_pan: wire.nullable(wire.text),
    verified_address: wire.nullable(wire.text),
    fiscal_year: wire.oneOf(FISCAL_YEARS),
    prefix: wire.text,
    sends_bills: wire.boolean,
    version: wire.id,
  }),
);
export type BillSettings = z.output<typeof BillSettings>;

/** Body of PATCH /account/v1/bills/settings/; omitted fields stay unchanged. */
export const ChangeBillSettings = z.strictObject({
  version: z.uuid("Send the version that was read."),
  issues_vat_bills: z.boolean("Send true or false.").optional(),
  pan: z
    .string("Send text or null.")
    .regex(/^\d{9}$/, "A PAN has nine digits.")
    .nullable()
    .optional(),
  address: z
    .string("Send text or null.")
    .trim()
    .min(1, FIELD_MESSAGES.blank)
    .max(200, "An address has at most 200 characters.")
    .refine(isPlainText, FIELD_MESSAGES.hidden)
    .nullable()
    .optional(),
  fiscal_year: z.enum(FISCAL_YEARS, `Use one of ${FISCAL_YEARS.join(", ")}.`).optional(),
  prefix: z
    .string("Send text.")
    .regex(/^[A-Z0-9]{0,8}$/, "A prefix has at most 8 capitals and digits.")
    .optional(),
  sends_bills: z.boolean("Send true or false.").optional(),
});
export type ChangeBillSettings = z.output<typeof ChangeBillSettings>;
