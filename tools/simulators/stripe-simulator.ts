import { createHmac, randomBytes } from "node:crypto";
import {
  formIn,
  givenIn,
  type GatewayProtocol,
  type SimulatedAnswer,
  type SimulatedRequest,
} from "./gateway-simulator.ts";
import {
  answerPayPage,
  originOf,
  PaymentBook,
  type Outcome,
  type SimulatedPayment,
} from "./payment-book.ts";
import { SimulatedList } from "./payment-list.ts";
import { DISPUTED, SimulatedRefunds } from "./stripe-refunds.ts";

interface StripeAccount {
  secretKey: string;
  webhookSecret: string;
  /** The URL for notices; null for none. */
  webhookUrl: () => string | null;
}

export const stripeError = (
  status: number,
  type: string,
  code: string,
  param?: string,
): SimulatedAnswer => ({
  status,
  body: { error: { type, code, message: `Refused: ${code}`, ...(param && { param }) } },
});

const idOf = (kind: string) => `${kind}_${randomBytes(12).toString("hex")}`;
const ITEM = "line_items[0][price_data]";
const REQUIRED = ["mode", "success_url", `${ITEM}[currency]`, `${ITEM}[unit_amount]`];
const HALF_HOUR = 1_800;
const DAY = 86_400;

/**
 * Stripe Checkout, as https://docs.stripe.com/api/checkout/sessions describes it, with its store
 * of idempotency keys. The book's refunds are normal, pending, insufficient or refused.
 */
export function stripeProtocol({ secretKey, webhookSecret, webhookUrl }: StripeAccount) {
  const keys = new Map<string, { params: string; answer: SimulatedAnswer }>();
  const book = new PaymentBook(
    {
      approve: "paid",
      decline: "declined",
      cancel: "open",
      expire: "expired",
      refund: "refunded",
    },
    (payment, outcome) => void notify(payment, outcome),
  );
  const refunds = new SimulatedRefunds(book);
  const list = new SimulatedList(book, (payment) => ({
    ...shown(payment, ""),
    created: Math.floor(payment.begun_at.getTime() / 1_000),
    metadata: { charge_id: payment.fields["metadata[charge_id]"] },
  }));

  const listed = ({ query }: SimulatedRequest): SimulatedAnswer => {
    const limit = Number(query.get("limit") ?? 10);
    if (!(limit >= 1 && limit <= 100))
      return stripeError(400, "invalid_request_error", "parameter_invalid_integer", "limit");
    const after = query.get("starting_after");
    const place = list.all().findIndex((row) => (row as { id?: unknown } | null)?.id === after);
    if (after !== null && place < 0)
      return stripeError(400, "invalid_request_error", "resource_missing", "starting_after");
    const { rows, isLast } = list.page(place + 1);
    return { status: 200, body: { object: "list", data: rows, has_more: !isLast } };
  };

  /** A signed notice about a session, or its dispute. */
  const noticeOf = (payment: SimulatedPayment, type: string) => {
    const isDispute = type.startsWith("charge.dispute.");
    const body = JSON.stringify({
      id: idOf("evt"),
      object: "event",
      type,
      data: {
        object: isDispute
          ? { id: "dp_1", object: "dispute", payment_intent: `pi_${payment.transaction}` }
          : { id: payment.reference, object: "checkout.session" },
      },
    });
    const time = Math.floor(book.now().getTime() / 1_000);
    const signature = createHmac("sha256", webhookSecret)
      .update(`${time}.${body}`)
      .digest("hex");
    // Two signatures, as while a secret is rotated.
    const other = createHmac("sha256", "whsec_other").update(`${time}.${body}`).digest("hex");
    return {
      headers: { "stripe-signature": `t=${time},v1=${other},v1=${signature}` },
      body,
    };
  };

  async function notify(payment: SimulatedPayment, outcome: Outcome) {
    const url = webhookUrl();
    const types: Partial<Record<Outcome, string>> = {
      approve: "checkout.session.completed",
      expire: "checkout.session.expired",
    };
    const type = types[outcome];
    if (url && type) await send(url, noticeOf(payment, type));
  }

  const send = (url: string, { headers, body }: ReturnType<typeof noticeOf>) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    }).catch(() => {});

  /** POST /_sim/notice {"reference", "type", "times", "forged"}: also early, late or repeated. */
  const sendNotices = (request: SimulatedRequest): SimulatedAnswer | null => {
    if (`${request.method} ${request.path}` !== "POST /_sim/notice") return null;
    const { reference, type, times = 1, forged = false } = givenIn(request);
    const payment = book.payments.get(String(reference));
    const url = webhookUrl();
    if (!payment || !url)
      return { status: 400, body: { references: [...book.payments.keys()] } };
    const notice = noticeOf(
      payment,
      typeof type === "string" ? type : "checkout.session.completed",
    );
    if (forged === true) notice.headers["stripe-signature"] += "0";
    for (let time = 0; time < Number(times); time += 1) void send(url, notice);
    return { status: 200, body: {} };
  };

  const PAID = ["paid", "refunded", ...DISPUTED];
  const UNPAID: Record<string, string> = {
    unpaid: "processing",
    payment_failed: "requires_payment_method",
  };

  const shown = (payment: SimulatedPayment, origin: string) => {
    const { reference, units, currency, transaction, fields, begun_at } = payment;
    const isOver = book.now().getTime() / 1_000 > Number(fields.expires_at);
    if (isOver && (payment.word === "open" || payment.word === "declined"))
      payment.word = "expired";
    const { word } = payment;
    const isPaid = PAID.includes(word);
    const isComplete = isPaid || UNPAID[word] !== undefined;
    const status = isComplete ? "complete" : word === "expired" ? "expired" : "open";
    return {
      id: reference,
      object: "checkout.session",
      status,
      payment_status: isPaid ? "paid" : "unpaid",
      amount_total: Number(units),
      currency,
      expires_at: Number(fields.expires_at),
      url: status === "open" ? `${origin}/pay?reference=${reference}` : null,
      payment_intent: isComplete
        ? {
            id: `pi_${transaction ?? reference.slice(3)}`,
            status: UNPAID[word] ?? "succeeded",
            latest_charge: isPaid
              ? {
                  id: `ch_${transaction}`,
                  created: Math.floor(begun_at.getTime() / 1_000),
                  amount_refunded: refunds.amountOf(payment),
                  disputed: DISPUTED.includes(word),
                  balance_transaction: { fee: 59, currency },
                }
              : null,
          }
        : null,
    };
  };

  const create = (request: SimulatedRequest): SimulatedAnswer => {
    const fields = Object.fromEntries(formIn(request) ?? []);
    for (const name of REQUIRED)
      if (!fields[name])
        return stripeError(400, "invalid_request_error", "parameter_missing", name);
    const currency = fields[`${ITEM}[currency]`] ?? "";
    const amount = fields[`${ITEM}[unit_amount]`] ?? "";
    if (!/^[a-z]{3}$/.test(currency))
      return stripeError(400, "invalid_request_error", "invalid", `${ITEM}[currency]`);
    if (!/^\d+$/.test(amount))
      return stripeError(400, "invalid_request_error", "parameter_invalid_integer");
    if (Number(amount) < 50)
      return stripeError(400, "invalid_request_error", "amount_too_small");
    const now = Math.floor(book.now().getTime() / 1_000);
    const ends = Number(fields.expires_at ?? now + DAY);
    if (ends < now + HALF_HOUR || ends > now + DAY)
      return stripeError(400, "invalid_request_error", "invalid", "expires_at");
    const payment = book.begin({
      reference: idOf("cs_test"),
      units: BigInt(amount),
      currency,
      label: fields[`${ITEM}[product_data][name]`] ?? "",
      word: "open",
      fields: { ...fields, expires_at: String(ends) },
    });
    return { status: 200, body: book.told(shown(payment, originOf(request))) };
  };

  const expire = (reference: string, request: SimulatedRequest): SimulatedAnswer => {
    const payment = book.payments.get(reference);
    if (!payment) return stripeError(404, "invalid_request_error", "resource_missing");
    if (payment.word !== "open")
      return stripeError(400, "invalid_request_error", "session_not_open");
    book.decide(reference, "expire");
    return { status: 200, body: shown(payment, originOf(request)) };
  };

  const route = (request: SimulatedRequest): SimulatedAnswer => {
    const { method, path, query } = request;
    const at = `${method} ${path}`;
    if (at === "POST /v1/checkout/sessions") return create(request);
    if (at === "GET /v1/checkout/sessions") return listed(request);
    if (at === "GET /v1/balance")
      return { status: 200, body: { object: "balance", available: [], pending: [] } };
    if (at === "POST /v1/refunds")
      return refunds.create(Object.fromEntries(formIn(request) ?? []));
    if (at === "GET /v1/disputes")
      return refunds.listDisputes(query.get("payment_intent") ?? "");
    if (at === "GET /v1/refunds") return refunds.list(query.get("payment_intent") ?? "");
    const refund = /^GET \/v1\/refunds\/(\w+)$/.exec(at)?.[1];
    if (refund) return refunds.show(refund);
    const expired = /^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(at)?.[1];
    if (expired) return expire(expired, request);
    const session = /^GET \/v1\/checkout\/sessions\/(\w+)$/.exec(at)?.[1];
    const payment = session && book.payments.get(session);
    return payment
      ? { status: 200, body: book.told(shown(payment, originOf(request))) }
      : stripeError(404, "invalid_request_error", "resource_missing");
  };

  const protocol: GatewayProtocol = {
    answer: (request) => {
      const shownPage = answerPayPage(request, "Stripe", book, (payment, outcome) => {
        const { reference, fields } = payment;
        const url = outcome === "approve" ? fields.success_url : fields.cancel_url;
        return (url ?? "").replace("{CHECKOUT_SESSION_ID}", reference);
      });
      if (shownPage) return shownPage;
      const { headers, method, body } = request;
      if (headers.authorization !== `Bearer ${secretKey}`)
        return stripeError(401, "invalid_request_error", "api_key_invalid");
      const key = headers["idempotency-key"];
      if (method !== "POST" || typeof key !== "string") return route(request);
      const kept = keys.get(key);
      if (kept)
        return kept.params === body
          ? kept.answer
          : stripeError(400, "idempotency_error", "idempotency_key_in_use");
      const answer = route(request);
      if (answer.status !== 400) keys.set(key, { params: body, answer });
      return answer;
    },
    refusal: () => stripeError(401, "invalid_request_error", "api_key_invalid"),
    errorIn200: ({ body }) => ({ status: 200, body: { error: { message: body } } }),
    control: (request) =>
      sendNotices(request) ??
      refunds.control(request) ??
      list.control(request) ??
      book.control(request),
    clear: () => {
      keys.clear();
      list.clear();
      refunds.clear();
      book.clear();
    },
  };
  return { protocol, book, list, refunds, noticeOf };
}
