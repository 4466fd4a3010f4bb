import { fromMinorUnits } from "#contract/amount.ts";
import type { GatewayIo } from "../outgoing/gateway.ts";
import { objectOf } from "../outgoing/settings.ts";
import { faultOf, idOf, wordOf } from "./define-provider.ts";
import type {
  InquiryAnswer,
  ListedPayment,
  PaymentListPage,
  PaymentListQuery,
  ProviderCharge,
} from "./provider.ts";
import { askStripe, placesOf, type StripeSettings } from "./stripe-api.ts";

/** The session of a charge with its payment, and what became of that. */
export async function readSession(
  charge: ProviderCharge,
  settings: StripeSettings,
  io: GatewayIo,
): Promise<Record<string, unknown>> {
  const session = encodeURIComponent(charge.reference ?? "");
  const expand = "expand[]=payment_intent.latest_charge.balance_transaction";
  const path = `/checkout/sessions/${session}?${encodeURI(expand)}`;
  const { isSuccess, body, answer } = await askStripe({ path }, settings, io);
  if (!isSuccess || body.id !== charge.reference) throw faultOf(answer);
  return body;
}

/** How a payment stands whose page is complete but which is not paid, or not yet. */
function readUnpaid(intent: Record<string, unknown>): InquiryAnswer {
  if (intent.status === "canceled") return { state: "left" };
  if (intent.status !== "requires_payment_method") return { state: "pending" };
  const { decline_code } = objectOf(intent.last_payment_error);
  const isShort = decline_code === "insufficient_funds";
  return { state: "failed", reason: isShort ? "insufficient_balance" : "declined" };
}

function readPaid(session: Record<string, unknown>): InquiryAnswer {
  const intent = objectOf(session.payment_intent);
  const paid = objectOf(intent.latest_charge);
  const currency = String(session.currency).toUpperCase();
  const places = placesOf(currency);
  if (paid.disputed === true) return { state: "held", word: "disputed" };
  const refunded = Number(paid.amount_refunded ?? 0);
  if (refunded > 0) return { state: "refunded", amount: fromMinorUnits(refunded, places) };
  const amount = fromMinorUnits(session.amount_total, places);
  const transaction_id = idOf(intent.id ?? session.payment_intent);
  if (amount === null || transaction_id === null || !/^[A-Z]{3}$/.test(currency))
    return { state: "held", word: "paid, incomplete answer" };
  const balance = objectOf(paid.balance_transaction);
  const isSameCurrency = String(balance.currency).toUpperCase() === currency;
  const fee = isSameCurrency ? fromMinorUnits(balance.fee, places) : null;
  const at = typeof paid.created === "number" ? new Date(paid.created * 1_000) : null;
  return { state: "approved", amount, currency, transaction_id, fee, at };
}

/** A dispute with its amount, which may be less than that of the payment. */
async function withDispute(
  answer: Extract<InquiryAnswer, { state: "held" }>,
  session: Record<string, unknown>,
  settings: StripeSettings,
  io: GatewayIo,
): Promise<InquiryAnswer> {
  const intent = idOf(objectOf(session.payment_intent).id) ?? "";
  const path = `/disputes?limit=1&payment_intent=${encodeURIComponent(intent)}`;
  const said = await askStripe({ path }, settings, io);
  // A restricted key may not read disputes.
  if (said.answer.kind === "answered" && said.answer.status === 403) return answer;
  // Without an answer, a dispute that a person has closed would look like another one.
  if (!said.isSuccess || !Array.isArray(said.body.data)) throw faultOf(said.answer);
  const dispute = objectOf(said.body.data[0]);
  const currency = String(session.currency).toUpperCase();
  const isSameCurrency = String(dispute.currency).toUpperCase() === currency;
  const amount = isSameCurrency ? fromMinorUnits(dispute.amount, placesOf(currency)) : null;
  return amount === null ? answer : { ...answer, amount };
}

/** What became of a session. */
export async function inquireSession(
  charge: ProviderCharge,
  settings: StripeSettings,
  io: GatewayIo,
): Promise<InquiryAnswer> {
  const session = await readSession(charge, settings, io);
  switch (session.status) {
    case "open":
      return { state: "pending" };
    case "expired":
      return { state: "left" };
    case "complete":
      if (session.payment_status === "paid") {
        const answer = readPaid(session);
        const isDisputed = answer.state === "held" && answer.word === "disputed";
        return isDisputed ? withDispute(answer, session, settings, io) : answer;
      }
      if (session.payment_status === "unpaid")
        return readUnpaid(objectOf(session.payment_intent));
      return { state: "held", word: wordOf(session.payment_status) };
    default:
      return { state: "held", word: wordOf(session.status) };
  }
}

/** A session counts for the day on which it began, and stays open for a day at most. */
const DAY = 86_400_000;
/** Few, because an answer of more than 256 kB is not read. */
const PAGE = 25;
const secondsOf = (time: number) => String(Math.floor(time / 1_000));

function readListed(session: Record<string, unknown>): ListedPayment {
  const currency = String(session.currency).toUpperCase();
  const isPaid = session.status === "complete" && session.payment_status === "paid";
  const answer = isPaid ? readPaid(session) : null;
  const { created } = session;
  return {
    reference: idOf(session.id),
    transaction_id: idOf(objectOf(session.payment_intent).id),
    amount: fromMinorUnits(session.amount_total, placesOf(currency)),
    currency,
    state:
      answer === null
        ? "unpaid"
        : answer.state === "approved"
          ? "paid"
          : answer.state === "refunded"
            ? "refunded"
            : "unclear",
    at: typeof created === "number" ? new Date(created * 1_000) : null,
    isOther: false,
  };
}

/** A page of the sessions that this service began; a seller can have others at Stripe. */
export async function listSessions(
  { from, to, page }: PaymentListQuery,
  settings: StripeSettings,
  io: GatewayIo,
): Promise<PaymentListPage> {
  const query = new URLSearchParams({
    limit: String(PAGE),
    "created[gte]": secondsOf(from.getTime() - DAY),
    "created[lt]": secondsOf(to.getTime()),
    "expand[]": "data.payment_intent.latest_charge",
    ...(page !== null && { starting_after: page }),
  });
  const path = `/checkout/sessions?${query.toString()}`;
  const { isSuccess, body, answer } = await askStripe({ path }, settings, io);
  if (!isSuccess || !Array.isArray(body.data)) throw faultOf(answer);
  const sessions = body.data.map(objectOf);
  const ours = sessions.filter(
    ({ metadata }) => typeof objectOf(metadata).charge_id === "string",
  );
  const last = idOf(sessions.at(-1)?.id);
  return {
    payments: ours.map(readListed),
    next: body.has_more === true && last !== page ? last : null,
  };
}
