import * as z from "zod";
import { formOf, type GatewayIo } from "../outgoing/gateway.ts";
import { objectOf, secretText } from "../outgoing/settings.ts";
import {
  askProvider,
  environmentSetting,
  providerUrl,
  timeLimits,
  type ProviderAnswer,
} from "./define-provider.ts";
import { ProviderFault } from "./provider.ts";

const WITHOUT_PLACES = "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" ");
/** Currencies with two places; without those that have special rules at Stripe. */
const WITH_PLACES =
  "AED AUD BDT BRL CAD CHF CNY CZK DKK EUR GBP HKD ILS INR LKR MXN MYR NOK NPR NZD PHP PKR PLN QAR SAR SEK SGD THB TRY USD ZAR".split(
    " ",
  );
/** The decimal places of a currency at Stripe. */
export const placesOf = (currency: string) => (WITHOUT_PLACES.includes(currency) ? 0 : 2);

/** The currencies that Stripe takes and whose amounts come out exactly. */
export const STRIPE_CURRENCIES = [...WITHOUT_PLACES, ...WITH_PLACES];

export const StripeSettings = z
  .strictObject({
    ...environmentSetting,
    secretKey: secretText()
      .regex(/^(sk|rk)_(test|live)_\w+$/)
      .describe("A secret or, better, a restricted key: sk_… or rk_…."),
    webhookSecret: secretText()
      .regex(/^whsec_/)
      .optional()
      .describe(
        "The signing secret of the webhook endpoint; without it, the service ignores notices and asks Stripe about each payment.",
      ),
    account: z
      .string()
      .regex(/^acct_\w{1,50}$/)
      .optional()
      .describe("A connected account (Stripe Connect)."),
    baseUrl: providerUrl().default("https://api.stripe.com").describe("The address of Stripe."),
    version: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}(\.\w+)?$/)
      .default("2025-03-31.basil")
      .describe("The version of Stripe's API."),
    sessionMinutes: z
      .int()
      .min(31)
      .max(1_439)
      .default(60)
      .describe(
        "Minutes for which the page stays open; Stripe takes from 30 minutes to 24 hours.",
      ),
    ...timeLimits,
  })
  .refine(({ environment, secretKey }) => secretKey.includes(`_${environment}_`), {
    error: "The key belongs to the other environment.",
    path: ["secretKey"],
  });
export type StripeSettings = z.infer<typeof StripeSettings>;

interface StripeRequest {
  path: string;
  fields?: Record<string, string>;
  /**
   * For a day, Stripe answers a repeated request with the same key as it answered the first one.
   */
  key?: string;
}

/** Asks Stripe once. */
export async function askStripe(
  { path, fields, key }: StripeRequest,
  settings: StripeSettings,
  io: GatewayIo,
): Promise<ProviderAnswer> {
  const form = fields && formOf(fields);
  const said = await askProvider(
    {
      method: form ? "POST" : "GET",
      url: `${settings.baseUrl}/v1${path}`,
      seconds: form ? settings.beginSeconds : settings.askSeconds,
      headers: {
        authorization: `Bearer ${settings.secretKey}`,
        "stripe-version": settings.version,
        ...(settings.account && { "stripe-account": settings.account }),
        ...(key && { "idempotency-key": key }),
        ...form?.headers,
      },
      ...(form && { body: form.body }),
    },
    io,
  );
  const { answer } = said;
  const status = answer.kind === "answered" ? answer.status : 0;
  if (status === 409)
    throw new ProviderFault("busy", "Stripe is working on the same request already.");
  if (status === 424) throw new ProviderFault("busy", "Stripe depends on another party (424).");
  return said;
}

/** Stripe's words for an error; empty if the answer holds none. */
export const stripeErrorOf = ({ body }: ProviderAnswer) => {
  const { type, code, param } = objectOf(body.error);
  return { type: textIn(type), code: textIn(code), param: textIn(param) };
};

const textIn = (value: unknown) => (typeof value === "string" ? value : "");
