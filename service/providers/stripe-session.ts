import { fromMinorUnits } from "#contract/amount.ts";
import type { DisputeState } from "#contract/names.ts";
import type { GatewayIo } from "../outgoing/gateway.ts";
import { objectOf } from "../outgoing/settings.ts";
import { faultOf, idOf, wordOf } from "./define-provider.ts";
import type {
  InquiryAnswer,
  ListedPayment,
  PaymentListPage,
  PaymentListQuery,
  ProviderCharge,
  ProviderDispute,
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

/** The state of a payment whose page is complete but which is not paid, or not yet. */
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

const isDisputed = ({ payment_intent }: Record<string, unknown>) =>
  objectOf(objectOf(payment_intent).latest_charge).disputed === true;

/** Words of disputes for which no money is, or will be, kept back. */
const UNDISPUTED = ["won", "warning_closed", "prevented"];
const TAKEN = ["needs_response", "under_review", "lost"];

/** Stripe's state of a dispute, in the smallest unit; null in another currency. */
function readDispute(dispute: Record<string, unknown>, currency: string) {
  const { status, amount, balance_transactions: booked } = dispute;
  if (String(dispute.currency).toUpperCase() !== currency) return null;
  const moved = Array.isArray(booked) ? booked.map(objectOf) : null;
  const isSame = moved?.every((each) => String(each.currency).toUpperCase() === currency);
  const sum = (field: "amount" | "fee") =>
    (moved ?? []).reduce((total, each) => total + Number(each[field] ?? 0), 0);
  const isTaken = moved ? sum("amount") < 0 : TAKEN.includes(String(status));
  const taken = isSame ? -sum("amount") : isTaken ? Number(amount) : 0;
  // A dispute that was won stays open until the money is returned.
  const isOver = UNDISPUTED.includes(String(status)) && taken <= 0;
  return {
    state: isOver ? "won" : status === "lost" ? "lost" : "open",
    amount: Number(amount),
    taken,
    fee: isSame ? sum("fee") : null,
  } as const;
}

/** All disputes of a charge as one. */
function readDisputes(
  all: Record<string, unknown>[],
  currency: string,
): { amount: string; dispute: ProviderDispute } | null {
  const read = all.map((one) => readDispute(one, currency)).filter((one) => one !== null);
  if (read.length === 0 || read.length < all.length) return null;
  const text = (field: "amount" | "taken" | "fee") => {
    const units = read.reduce((total, each) => total + (each[field] ?? 0), 0);
    return fromMinorUnits(Math.max(units, 0), placesOf(currency));
  };
  const [amount, taken] = [text("amount"), text("taken")];
  if (amount === null || taken === null) return null;
  const has = (state: DisputeState) => read.some((each) => each.state === state);
  const state = has("open") ? "open" : has("lost") ? "lost" : "won";
  const fee = read.some((each) => each.fee === null) ? null : text("fee");
  return { amount, dispute: { state, taken, fee } };
}

/** Adds the dispute to a payment's answer; the dispute may be about less, and may be over. */
async function withDispute(
  answer: InquiryAnswer,
  session: Record<string, unknown>,
  settings: StripeSettings,
  io: GatewayIo,
): Promise<InquiryAnswer> {
  const intent = idOf(objectOf(session.payment_intent).id) ?? "";
  const path = `/disputes?limit=10&payment_intent=${encodeURIComponent(intent)}`;
  const said = await askStripe({ path }, settings, io);
  // A restricted key may not read disputes.
  if (said.answer.kind === "answered" && said.answer.status === 403) return DISPUTED;
  // Held without its amount, a dispute whose task a person has closed would open another task.
  if (!said.isSuccess || !Array.isArray(said.body.data)) throw faultOf(said.answer);
  const currency = String(session.currency).toUpperCase();
  const told = readDisputes(said.body.data.map(objectOf), currency);
  if (told === null) return DISPUTED;
  const { dispute } = told;
  if (dispute.state === "won" && (answer.state === "approved" || answer.state === "refunded"))
    return { ...answer, dispute };
  return { ...DISPUTED, ...told };
}
const DISPUTED = { state: "held", word: "disputed" } as const;

/** The result of a session. */
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
        return isDisputed(session) ? withDispute(answer, session, settings, io) : answer;
      }
      if (session.payment_status === "unpaid")
        return readUnpaid(objectOf(session.payment_intent));
      return { state: "held", word: wordOf(session.payment_status) };
    default:
      return { state: "held", word: wordOf(session.status) };
  }
}

/** Lists begin this much earlier: a session is found by when it began, and is open for a day at most. */
const DAY = 86_400_000;
/** Few, because an answer of more than 256 kB is not read. */
const PAGE = 25;
const secondsOf = (time: number) => String(Math.floor(time / 1_000));

function readListed(session: Record<string, unknown>): ListedPayment {
  const currency = String(session.currency).toUpperCase();
  const isPaid = session.status === "complete" && session.payment_status === "paid";
  const answer = isPaid && !isDisputed(session) ? readPaid(session) : null;
  const { created } = session;
  return {
    reference: idOf(session.id),
    transaction_id: idOf(objectOf(session.payment_intent).id),
    amount: fromMinorUnits(session.amount_total, placesOf(currency)),
    currency,
    state:
      answer === null
        ? isPaid
          ? "unclear"
          : "unpaid"
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
