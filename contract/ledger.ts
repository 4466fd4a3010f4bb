import * as z from "zod";
import { JOURNAL_KINDS, LEDGER_ACCOUNTS } from "./names.ts";
import { defineSentAndReceived, type WireTypes } from "./wire.ts";

/** One account of the ledger in one currency; `provider` and `account_id` of `provider` only. */
const account = (wire: WireTypes) => ({
  account: wire.oneOf(LEDGER_ACCOUNTS),
  /** Which provider holds the money; `sandbox` also of payments from before charges were kept. */
  provider: wire.nullable(wire.text),
  account_id: wire.nullable(wire.integer),
  /** The provider's name, or what buyers read in place of it. */
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
export const [Statement, ReceivedStatement] = defineSentAndReceived((wire) =>
  wire.object({
    month: wire.text,
    time_zone: wire.text,
    from: wire.datetime,
    /** The first moment after it. */
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
        /** The sum of the payments, as their list has them. */
        paid: wire.decimal,
        taken_back: wire.decimal,
        given_back: wire.decimal,
        provider_fee: wire.signed_decimal,
        service_fee: wire.signed_decimal,
        /** What is left of it to the seller. */
        net: wire.signed_decimal,
      }),
    ),
    next: wire.nullable(wire.text),
    /** In the order of time. */
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
        /** The provider's, or what a person noted. */
        reference: wire.nullable(wire.text),
        lines: wire.list(
          wire.object({ ...account(wire), debit: wire.decimal, credit: wire.decimal }),
        ),
      }),
    ),
  }),
);
export type Statement = z.output<typeof Statement>;

export const MAX_STATEMENT_PAGE = 500;

/** A month of the years that PostgreSQL and the calendars know. */
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
