import { createHmac } from "node:crypto";
import { minorUnits } from "#contract/amount.ts";
import type { GatewayIo } from "../outgoing/gateway.ts";
import { isSame, objectOf } from "../outgoing/settings.ts";
import {
  defineProvider,
  faultOf,
  pageUrlOf,
  wordOf,
  type ProviderAnswer,
} from "./define-provider.ts";
import type { BeginAnswer, BeginDetails, ProviderCharge, ProviderNotice } from "./provider.ts";
import {
  askStripe,
  placesOf,
  STRIPE_CURRENCIES,
  stripeErrorOf,
  StripeSettings,
} from "./stripe-api.ts";
import { inquireStripeRefund, refundAtStripe } from "./stripe-refund.ts";
import { inquireSession, listSessions } from "./stripe-session.ts";

function refusalOf(said: ProviderAnswer): BeginAnswer {
  const { answer } = said;
  const { type, code, param } = stripeErrorOf(said);
  const isRefusal =
    answer.kind === "answered" && (answer.status === 400 || answer.status === 402);
  if (!isRefusal || type === "") throw faultOf(answer);
  const why =
    code === "amount_too_small" || code === "amount_too_large"
      ? code
      : param.endsWith("[currency]")
        ? "currency"
        : "request";
  return {
    state: "refused",
    why,
    text: `Stripe refused the request (${wordOf(code || type)}).`,
  };
}

async function begin(
  charge: ProviderCharge,
  details: BeginDetails,
  settings: StripeSettings,
  io: GatewayIo,
): Promise<BeginAnswer> {
  const units = minorUnits(charge.amount, placesOf(charge.currency));
  if (!STRIPE_CURRENCIES.includes(charge.currency) || units === null)
    return { state: "refused", why: "currency", text: "Stripe cannot take this amount." };
  const expiresAt =
    Math.floor(charge.begun_at.getTime() / 1_000) + settings.sessionMinutes * 60;
  const { charge_id } = charge;
  const { email } = details.buyer;
  // Nothing depends on the time: Stripe refuses a repetition with other parameters.
  const said = await askStripe(
    {
      path: "/checkout/sessions",
      key: charge_id,
      fields: {
        mode: "payment",
        "line_items[0][quantity]": "1",
        "line_items[0][price_data][currency]": charge.currency.toLowerCase(),
        "line_items[0][price_data][unit_amount]": String(units),
        "line_items[0][price_data][product_data][name]": details.label,
        success_url: `${details.return_url}?session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: details.return_url,
        client_reference_id: charge_id,
        "metadata[charge_id]": charge_id,
        "payment_intent_data[metadata][charge_id]": charge_id,
        expires_at: String(expiresAt),
        locale: details.language === "en" ? "en" : "auto",
        ...(email && { customer_email: email }),
      },
    },
    settings,
    io,
  );
  const { isSuccess, body } = said;
  const reference = sessionOf(body.id);
  if (!isSuccess || !reference) return refusalOf(said);
  const url = pageUrlOf(body.url, io);
  if (!url) throw faultOf(said.answer);
  return {
    state: "begun",
    reference,
    hand_over: { kind: "redirect", url },
    expires_at: new Date(Number(body.expires_at) * 1_000),
  };
}

/** Whether the notice is signed; while a secret is rotated, its header has several signatures. */
function isSigned({ headers, body }: ProviderNotice, secret: string): boolean {
  const parts = (headers["stripe-signature"] ?? "").split(",").map((part) => part.split("="));
  const time = Number(parts.find(([name]) => name === "t")?.[1]);
  if (!(Math.abs(Date.now() / 1_000 - time) <= TOLERANCE_SECONDS)) return false;
  const expected = stripeSignature(secret, time, body);
  return parts.some(([name, value]) => name === "v1" && isSame(value, expected));
}
const TOLERANCE_SECONDS = 300;

/** The signature of a webhook: over its time in seconds and its body as it was sent. */
export const stripeSignature = (secret: string, time: number, body: string): string =>
  createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");

/** The session that a notice names, else its payment, if Stripe has signed it. */
function readNotice(notice: ProviderNotice, { webhookSecret }: StripeSettings): string | null {
  if (!webhookSecret || !isSigned(notice, webhookSecret)) return null;
  const { data } = objectOf(JSON.parse(notice.body));
  const { id, payment_intent } = objectOf(objectOf(data).object);
  return sessionOf(id) ?? intentOf(payment_intent);
}

const sessionOf = (value: unknown): string | null =>
  typeof value === "string" && /^cs_\w{1,250}$/.test(value) ? value : null;

const intentOf = (value: unknown): string | null =>
  typeof value === "string" && /^pi_\w{1,250}$/.test(value) ? value : null;

/** Stripe Checkout Sessions, https://docs.stripe.com/api/checkout/sessions. */
export const stripe = defineProvider<StripeSettings>({
  provider: "stripe",
  label: "Card",
  method: "card",
  settings: StripeSettings,
  secrets: ["secretKey", "webhookSecret"],
  merchant: [],
  can: {
    currencies: STRIPE_CURRENCIES,
    least: null,
    most: null,
    refund: "partial",
    repeatBegin: true,
    repeatRefund: "always",
    identifyBuyer: false,
  },
  formTargets: () => [],
  referenceOf: () => null,
  begin,
  inquire: inquireSession,
  portalOf: () => "dashboard.stripe.com",
  refund: refundAtStripe,
  inquireRefund: (_charge, refund_id, settings, io) =>
    inquireStripeRefund(refund_id, settings, io),
  list: listSessions,
  cancel: async ({ reference }, settings, io) => {
    const path = `/checkout/sessions/${encodeURIComponent(reference ?? "")}/expire`;
    const { isSuccess, answer } = await askStripe({ path, fields: {} }, settings, io);
    // Stripe refuses to expire a session that is no longer open; what became of it is asked
    // afterwards.
    const isRefused = answer.kind === "answered" && answer.status === 400;
    if (!isSuccess && !isRefused) throw faultOf(answer);
  },
  readReturn: ({ session_id }) => sessionOf(session_id),
  readNotice,
  check: async (settings, io) => {
    const { isSuccess, answer, body } = await askStripe({ path: "/balance" }, settings, io);
    if (!isSuccess || body.object !== "balance") throw faultOf(answer);
    return { ok: true, text: "Stripe accepts the key." };
  },
});
