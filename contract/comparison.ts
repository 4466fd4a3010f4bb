import * as z from "zod";
import {
  MOST_STATEMENT_ROWS,
  COMPARISON_SOURCES,
  STATEMENT_OUTCOMES,
  STATEMENT_STATES,
} from "./names.ts";
import { defineSentAndReceived, type WireTypes } from "./wire.ts";

const counts = (wire: WireTypes) => ({
  /** Payments that the list or statement names. */
  listed: wire.integer,
  matched: wire.integer,
  /** Paid there, and not here. */
  statement_only: wire.integer,
  /** Paid here, and not there within the time that it covers. */
  service_only: wire.integer,
  differing: wire.integer,
  /** In a state, or with an amount, that cannot be read. */
  unclear: wire.integer,
});

/** What came of comparing an account with its provider. */
const comparisonRun = (wire: WireTypes) =>
  wire.object({
    source: wire.oneOf(COMPARISON_SOURCES),
    compared_at: wire.datetime,
    /** Payments that were asked about one by one. */
    asked: wire.integer,
    ...counts(wire),
    /** Why it is not complete; null if it is. */
    problem: wire.nullable(wire.text),
  });

/** How an account and its provider agree. */
export const comparisonState = (wire: WireTypes) =>
  wire.object({
    /** Whether the provider lists payments; if not, its portal's statement can be compared. */
    has_list: wire.boolean,
    /** Whether a comparison that was asked for has not ended yet. */
    is_running: wire.boolean,
    last: wire.nullable(comparisonRun(wire)),
    last_statement: wire.nullable(comparisonRun(wire)),
  });
export type ComparisonState = z.output<ReturnType<typeof comparisonState>>;
export type ComparisonRun = NonNullable<ComparisonState["last"]>;

const id = z
  .string()
  .trim()
  .min(1)
  .max(128, "Use at most 128 characters.")
  .nullable()
  .default(null);
const moment = z.iso
  .datetime({ offset: true, error: "Use a time such as 2026-03-10T06:00:00Z." })
  .nullable()
  .default(null);
const AMOUNT = "Use an amount with two decimal places, such as 1500.00.";

const statementEntry = z
  .strictObject({
    reference: id,
    transaction_id: id,
    amount: z
      .string()
      .regex(/^\d{1,12}\.\d{2}$/, AMOUNT)
      .nullable()
      .default(null),
    currency: z.string().regex(/^[A-Z]{3}$/, "Use three capital letters, such as NPR."),
    state: z.enum(STATEMENT_STATES, "Use paid, refunded, unpaid or unclear."),
    at: moment,
  })
  .refine(({ reference, transaction_id }) => reference !== null || transaction_id !== null, {
    path: ["reference"],
    error: "Name the reference, the transaction_id, or both.",
  });

/** Body of POST /account/v1/payment-accounts/{provider}/statement/. */
export const CompareStatement = z.strictObject({
  entries: z
    .array(statementEntry)
    .min(1, "Give at least one payment.")
    .max(MOST_STATEMENT_ROWS, `Give at most ${MOST_STATEMENT_ROWS} payments at a time.`),
  /** The time of which the statement lacks no payment; null if that is not known. */
  covers_from: moment,
  covers_to: moment,
  /** Whether differences become tasks; without it nothing is stored. */
  is_confirmed: z.boolean().default(false),
  /** Whether payments that are unknown here become tasks too. */
  takes_unknown: z.boolean().default(true),
});
export type CompareStatement = z.output<typeof CompareStatement>;
export type StatementEntry = CompareStatement["entries"][number];

/** What the statement and this account say of each payment on which they do not agree. */
export const [ComparedStatement, ReceivedComparedStatement] = defineSentAndReceived((wire) =>
  wire.object({
    is_confirmed: wire.boolean,
    ...counts(wire),
    /** Tasks that were opened now. */
    opened: wire.integer,
    /** At most 500; the counts are of all. */
    results: wire.list(
      wire.object({
        outcome: wire.oneOf(STATEMENT_OUTCOMES),
        /** The place in `entries`; null for a payment that it does not name. */
        place: wire.nullable(wire.integer),
        reference: wire.nullable(wire.text),
        subscription_id: wire.nullable(wire.text),
        /** By this account. */
        amount: wire.nullable(wire.decimal),
        currency: wire.nullable(wire.text),
        /** By the statement. */
        answered_amount: wire.nullable(wire.decimal),
        answered_currency: wire.nullable(wire.text),
        at: wire.nullable(wire.datetime),
      }),
    ),
  }),
);
export type ComparedStatement = z.output<typeof ComparedStatement>;
