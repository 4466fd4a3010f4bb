import * as z from "zod";
import { Version } from "./account.ts";
import {
  CHECKOUT_METHODS,
  COMPARISON_SOURCES,
  MOST_STATEMENT_ROWS,
  STATEMENT_OUTCOMES,
  STATEMENT_STATES,
} from "./names.ts";
import { GivenSettings, providerSetting, storedSettings } from "./settings.ts";
import { defineSentAndReceived, required, textLine, type WireTypes } from "./wire.ts";

const counts = (wire: WireTypes) => ({
  /** Payments that the list or statement names. */
  listed: wire.integer,
  matched: wire.integer,
  /** Payments that the provider calls paid, and this account does not. */
  statement_only: wire.integer,
  /**
   * Payments that this account calls paid, and that the list or statement lacks although it
   * covers their time.
   */
  service_only: wire.integer,
  differing: wire.integer,
  /** Payments with a state or an amount that cannot be read. */
  unclear: wire.integer,
});

/** The result of comparing an account with its provider. */
const comparisonRun = (wire: WireTypes) =>
  wire.object({
    source: wire.oneOf(COMPARISON_SOURCES),
    compared_at: wire.datetime,
    /** Payments about which the provider was asked one by one. */
    asked: wire.integer,
    ...counts(wire),
    /** Why the comparison is not complete; null if it is. */
    problem: wire.nullable(wire.text),
  });

/** How far an account and its provider agree. */
const comparisonState = (wire: WireTypes) =>
  wire.object({
    /** Whether the provider lists payments; if not, its portal's statement can be compared. */
    has_list: wire.boolean,
    /** Whether a comparison that was asked for has not ended yet. */
    is_running: wire.boolean,
    last: wire.nullable(comparisonRun(wire)),
    last_statement: wire.nullable(comparisonRun(wire)),
  });
type ComparisonState = z.output<ReturnType<typeof comparisonState>>;
export type ComparisonRun = NonNullable<ComparisonState["last"]>;

/** A seller's account at a payment provider. */
const paymentAccount = (wire: WireTypes) =>
  wire.object({
    provider: wire.text,
    /** The text that buyers read instead of the provider's name; null for that name. */
    label: wire.nullable(wire.text),
    ...storedSettings(wire),
    /**
     * Limits of an amount that buyers can pay with this account; null where only the provider's own
     * limit holds.
     */
    least: wire.nullable(wire.decimal),
    most: wire.nullable(wire.decimal),
    is_active: wire.boolean,
    /** Whether its buyers need no code, because the provider has them sign in. */
    identifies_buyer: wire.boolean,
    /** Why the provider last refused the settings; null once it answers again. */
    problem: wire.nullable(wire.text),
    problem_at: wire.nullable(wire.datetime),
    /** The URLs to which the provider sends buyers back and posts its notices. */
    return_url: wire.url,
    notice_url: wire.url,
    comparison: comparisonState(wire),
    version: wire.id,
  });

const paymentProvider = (wire: WireTypes) =>
  wire.object({
    provider: wire.text,
    /** The provider's name as buyers know it. */
    label: wire.text,
    method: wire.oneOf(CHECKOUT_METHODS),
    currencies: wire.list(wire.text),
    least: wire.nullable(wire.decimal),
    most: wire.nullable(wire.decimal),
    /** Whether buyers sign in there, so that an account can do without the code. */
    can_identify_buyer: wire.boolean,
    settings: wire.list(providerSetting(wire)),
  });

/** GET /account/v1/payment-accounts/, in the order in which buyers see them. */
export const [PaymentAccounts, ReceivedPaymentAccounts] = defineSentAndReceived((wire) =>
  wire.object({
    results: wire.list(paymentAccount(wire)),
    /** The available providers, with the settings that each needs. */
    providers: wire.list(paymentProvider(wire)),
    /** Whether buyers can pay; if not, links are neither created nor usable. */
    payable: wire.boolean,
    /** Why they cannot; null if they can. */
    reason: wire.nullable(wire.text),
  }),
);
export type PaymentAccounts = z.output<typeof PaymentAccounts>;

export const [SavedPaymentAccount, ReceivedPaymentAccount] =
  defineSentAndReceived(paymentAccount);
export type SavedPaymentAccount = z.output<typeof SavedPaymentAccount>;

const AMOUNT = "Use an amount with at most two decimal places, such as 1500.00.";
const limit = z
  .string(required(AMOUNT))
  .regex(/^\d{1,12}(\.\d{1,2})?$/, AMOUNT)
  .nullable()
  .default(null);

/** Body of POST /account/v1/payment-accounts/{provider}/; a secret that is left out stays. */
export const SavePaymentAccount = z.strictObject({
  label: textLine(60).nullable().default(null),
  settings: GivenSettings,
  least: limit,
  most: limit,
  is_active: z.boolean().default(true),
  identifies_buyer: z.boolean().default(false),
  /** The version that was read; null to set up a provider that has none yet. */
  version: Version.nullable(),
});
export type SavePaymentAccount = z.output<typeof SavePaymentAccount>;

/** Body of POST /account/v1/payment-accounts/order/: every provider that is set up, in order. */
export const OrderPaymentAccounts = z.strictObject({
  providers: z.array(z.string().max(40)).max(50, "Name each provider once."),
});
export type OrderPaymentAccounts = z.output<typeof OrderPaymentAccounts>;

/** The provider's answer to a check of the settings. */
export const [CheckedPaymentAccount, ReceivedCheckedPaymentAccount] = defineSentAndReceived(
  (wire) => wire.object({ ok: wire.boolean, text: wire.text }),
);
export type CheckedPaymentAccount = z.output<typeof CheckedPaymentAccount>;

const statementId = z
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
const EXACT_AMOUNT = "Use an amount with two decimal places, such as 1500.00.";

const statementEntry = z
  .strictObject({
    reference: statementId,
    transaction_id: statementId,
    amount: z
      .string()
      .regex(/^\d{1,12}\.\d{2}$/, EXACT_AMOUNT)
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
  /** The start of the time in which the statement lacks no payment; null if that is not known. */
  covers_from: moment,
  covers_to: moment,
  /** Whether differences become tasks; without it nothing is stored. */
  is_confirmed: z.boolean().default(false),
  /** Whether payments that are unknown here become tasks too. */
  takes_unknown: z.boolean().default(true),
});
export type CompareStatement = z.output<typeof CompareStatement>;
export type StatementEntry = CompareStatement["entries"][number];

/** Each payment on which the statement and this account do not agree, with both sides. */
export const [ComparedStatement, ReceivedComparedStatement] = defineSentAndReceived((wire) =>
  wire.object({
    is_confirmed: wire.boolean,
    ...counts(wire),
    /** Tasks that were opened now. */
    opened: wire.integer,
    /** At most 500 payments; the counts include all. */
    results: wire.list(
      wire.object({
        outcome: wire.oneOf(STATEMENT_OUTCOMES),
        /** The place in `entries`, from 1; null for a payment that the statement does not name. */
        place: wire.nullable(wire.integer),
        reference: wire.nullable(wire.text),
        subscription_id: wire.nullable(wire.text),
        /** The amount in this account. */
        amount: wire.nullable(wire.decimal),
        currency: wire.nullable(wire.text),
        /** The amount in the statement. */
        answered_amount: wire.nullable(wire.decimal),
        answered_currency: wire.nullable(wire.text),
        at: wire.nullable(wire.datetime),
      }),
    ),
  }),
);
export type ComparedStatement = z.output<typeof ComparedStatement>;
