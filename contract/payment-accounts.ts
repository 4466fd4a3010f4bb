import * as z from "zod";
import { required, textLine, Version } from "./account.ts";
import { CHECKOUT_METHODS } from "./names.ts";
import { comparisonState } from "./comparison.ts";
import { GivenSettings, providerSetting, storedSettings } from "./settings.ts";
import { defineSentAndReceived, type WireTypes } from "./wire.ts";

/** A seller's account at a payment provider. */
const paymentAccount = (wire: WireTypes) =>
  wire.object({
    provider: wire.text,
    /** What buyers read in place of the provider's name; null for that name. */
    label: wire.nullable(wire.text),
    ...storedSettings(wire),
    /** Amounts outside these are not offered to it; null where only the provider's own limits hold. */
    least: wire.nullable(wire.decimal),
    most: wire.nullable(wire.decimal),
    is_active: wire.boolean,
    /** Why the provider refused the settings last; null since it answered again. */
    problem: wire.nullable(wire.text),
    problem_at: wire.nullable(wire.datetime),
    /** Where the provider sends buyers back, and where it posts its notices. */
    return_url: wire.url,
    notice_url: wire.url,
    comparison: comparisonState(wire),
    version: wire.id,
  });

const paymentProvider = (wire: WireTypes) =>
  wire.object({
    provider: wire.text,
    /** Its name as buyers know it. */
    label: wire.text,
    method: wire.oneOf(CHECKOUT_METHODS),
    currencies: wire.list(wire.text),
    least: wire.nullable(wire.decimal),
    most: wire.nullable(wire.decimal),
    settings: wire.list(providerSetting(wire)),
  });

/** GET /account/v1/payment-accounts/, in the order in which buyers see them. */
export const [PaymentAccounts, ReceivedPaymentAccounts] = defineSentAndReceived((wire) =>
  wire.object({
    results: wire.list(paymentAccount(wire)),
    /** What can be set up, with the settings that each provider needs. */
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
  /** The version that was read; null to set up a provider that has none yet. */
  version: Version.nullable(),
});
export type SavePaymentAccount = z.output<typeof SavePaymentAccount>;

/** Body of POST /account/v1/payment-accounts/order/: every provider that is set up, in order. */
export const OrderPaymentAccounts = z.strictObject({
  providers: z.array(z.string().max(40)).max(50, "Name each provider once."),
});
export type OrderPaymentAccounts = z.output<typeof OrderPaymentAccounts>;

/** What the provider said of the settings. */
export const [CheckedPaymentAccount, ReceivedCheckedPaymentAccount] = defineSentAndReceived(
  (wire) => wire.object({ ok: wire.boolean, text: wire.text }),
);
export type CheckedPaymentAccount = z.output<typeof CheckedPaymentAccount>;
