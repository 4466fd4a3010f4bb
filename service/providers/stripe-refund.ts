import { minorUnits } from "#contract/amount.ts";
import type { GatewayIo } from "../outgoing/gateway.ts";
import { objectOf } from "../outgoing/settings.ts";
import { faultOf, idOf, wordOf, type ProviderAnswer } from "./define-provider.ts";
import type { ProviderAdapter, ProviderCharge, RefundAnswer } from "./provider.ts";
import { askStripe, placesOf, stripeErrorOf, type StripeSettings } from "./stripe-api.ts";
import { readSession } from "./stripe-session.ts";

function readRefund(said: ProviderAnswer): RefundAnswer {
  const { body, isSuccess, answer } = said;
  const refund_id = idOf(body.id);
  if (isSuccess && refund_id && typeof body.status === "string") {
    if (body.status === "succeeded") return { state: "done", refund_id };
    if (body.status === "pending" || body.status === "requires_action")
      return { state: "under_way", refund_id };
    const why = wordOf(body.failure_reason ?? body.status);
    return { state: "refused", text: `Stripe could not refund it (${why}).`, again: false };
  }
  const { type, code } = stripeErrorOf(said);
  const isRefusal = answer.kind === "answered" && answer.status === 400;
  if (!isRefusal || type === "") throw faultOf(answer);
  if (code === "charge_already_refunded") return { state: "done", refund_id: null };
  const again = code === "balance_insufficient" || code === "insufficient_funds";
  return { state: "refused", text: `Stripe refused it (${wordOf(code || type)}).`, again };
}

/** The result of a refund that was under way. */
export const inquireStripeRefund = async (
  id: string,
  settings: StripeSettings,
  io: GatewayIo,
) => readRefund(await askStripe({ path: `/refunds/${encodeURIComponent(id)}` }, settings, io));

/**
 * Finds an earlier refund with the key in its metadata, because Stripe itself forgets keys after a
 * day.
 */
async function madeBefore(
  intent: string,
  key: string,
  settings: StripeSettings,
  io: GatewayIo,
): Promise<RefundAnswer | null> {
  const path = `/refunds?limit=100&payment_intent=${encodeURIComponent(intent)}`;
  const said = await askStripe({ path }, settings, io);
  if (!said.isSuccess || !Array.isArray(said.body.data)) throw faultOf(said.answer);
  const made = said.body.data
    .map(objectOf)
    .find(({ metadata }) => objectOf(metadata).refund_key === key);
  return made ? readRefund({ ...said, body: made }) : null;
}

/** Refunds once, however often it is called with the same key. */
export async function refundAtStripe(
  charge: ProviderCharge,
  { amount, key, refund_id }: Parameters<ProviderAdapter["refund"]>[1],
  settings: StripeSettings,
  io: GatewayIo,
): Promise<RefundAnswer> {
  if (refund_id) return inquireStripeRefund(refund_id, settings, io);
  const units = minorUnits(amount, placesOf(charge.currency));
  const intent = charge.transaction_id ?? intentOf(await readSession(charge, settings, io));
  if (units === null || !intent)
    return { state: "refused", text: "There is no such amount to refund.", again: false };
  const made = await madeBefore(intent, key, settings, io);
  if (made) return made;
  const said = await askStripe(
    {
      path: "/refunds",
      key,
      fields: {
        payment_intent: intent,
        amount: String(units),
        reason: "requested_by_customer",
        "metadata[refund_key]": key,
      },
    },
    settings,
    io,
  );
  return readRefund(said);
}

const intentOf = ({ payment_intent }: Record<string, unknown>) =>
  idOf(objectOf(payment_intent).id ?? payment_intent);
