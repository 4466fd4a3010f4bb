import { randomBytes } from "node:crypto";
import {
  jsonIn,
  type GatewayProtocol,
  type SimulatedAnswer,
  type SimulatedRequest,
} from "./gateway-simulator.ts";
import { answerPayPage, originOf, PaymentBook, withQuery } from "./payment-book.ts";
import { SimulatedList } from "./payment-list.ts";

const VALIDITY_SECONDS = 1_800;
const REQUIRED = [
  "return_url",
  "website_url",
  "amount",
  "purchase_order_id",
  "purchase_order_name",
];
const ENDED_UNPAID = ["Expired", "User canceled"];

const wrong = (field: string, text: string): SimulatedAnswer => ({
  status: 400,
  body: { [field]: [text], error_key: "validation_error" },
});
const notFound: SimulatedAnswer = {
  status: 404,
  body: { detail: "Not found.", error_key: "validation_error" },
};

/**
 * Khalti KPG-2, as https://docs.khalti.com/khalti-epayment/ describes it. The book's refunds are
 * normal, refused, or mobile (paid by a bank: needs the number of a Khalti account).
 */
export function khaltiProtocol({ secretKey }: { secretKey: string }) {
  const book = new PaymentBook({
    approve: "Completed",
    decline: "Pending",
    cancel: "User canceled",
    expire: "Expired",
    refund: "Refunded",
  });

  const list = new SimulatedList(book, (payment) => ({
    idx: payment.transaction ?? payment.reference,
    type: { name: "Wallet payment" },
    state: { name: payment.word === "Refunded" ? "Completed" : payment.word },
    amount: Number(payment.units),
    fee_amount: 0,
    refunded: payment.word === "Refunded",
    created_on: payment.begun_at.toISOString(),
  }));

  const listed = ({ query }: SimulatedRequest): SimulatedAnswer => {
    const page = Number(query.get("page") ?? 1);
    const { rows } = list.page((page - 1) * list.size);
    const total = list.all().length;
    const total_pages = Math.max(Math.ceil(total / list.size), 1);
    if (page > total_pages) return { status: 404, body: { detail: "Invalid page." } };
    const next = page < total_pages ? `?page=${page + 1}` : null;
    return {
      status: 200,
      body: { total_pages, total_records: total, next, current_page: page, records: rows },
    };
  };

  const refusalOf = ({ headers }: SimulatedRequest): SimulatedAnswer | null => {
    const given = headers.authorization ?? "";
    if (given === `Key ${secretKey}`) return null;
    const detail = /^key /i.test(given)
      ? "Invalid token."
      : "Authentication credentials were not provided.";
    return { status: 401, body: { detail, status_code: 401 } };
  };

  const initiate = (request: SimulatedRequest): SimulatedAnswer => {
    const given = jsonIn(request);
    if (!given) return { status: 415, body: { detail: "Unsupported media type." } };
    for (const field of REQUIRED)
      if (given[field] === undefined || given[field] === "")
        return wrong(field, "This field is required.");
    const amount = Number(given.amount);
    if (!Number.isSafeInteger(amount)) return wrong("amount", "A valid integer is required.");
    if (amount < 1_000)
      return wrong("amount", "Amount should be greater than Rs. 10, that is 1000 paisa.");
    if (!URL.canParse(String(given.return_url)))
      return wrong("return_url", "Enter a valid URL.");
    const pidx = randomBytes(11).toString("hex");
    book.begin({
      reference: pidx,
      units: BigInt(amount),
      currency: "NPR",
      label: String(given.purchase_order_name),
      word: "Initiated",
      fields: {
        return_url: String(given.return_url),
        purchase_order_id: String(given.purchase_order_id),
      },
    });
    const ends = book.now().getTime() + VALIDITY_SECONDS * 1_000;
    const expires_at = new Date(ends + 20_700_000).toISOString().replace("Z", "000+05:45");
    return {
      status: 200,
      body: book.told({
        pidx,
        payment_url: `${originOf(request)}/pay?pidx=${pidx}`,
        expires_at,
        expires_in: VALIDITY_SECONDS,
      }),
    };
  };

  const lookUp = (request: SimulatedRequest): SimulatedAnswer => {
    const { pidx } = jsonIn(request) ?? {};
    if (!pidx) return wrong("pidx", "This field is required.");
    const payment = typeof pidx === "string" ? book.payments.get(pidx) : undefined;
    if (!payment) return notFound;
    const ends = payment.begun_at.getTime() + VALIDITY_SECONDS * 1_000;
    if (payment.word === "Initiated" && book.now().getTime() > ends) payment.word = "Expired";
    const { word, units, transaction } = payment;
    const body = book.told({
      pidx,
      total_amount: Number(units),
      status: word,
      transaction_id: transaction,
      fee: 0,
      refunded: /refunded/i.test(word),
    });
    return { status: ENDED_UNPAID.includes(String(body.status)) ? 400 : 200, body };
  };

  const refund = (transaction: string, request: SimulatedRequest): SimulatedAnswer => {
    const payment = [...book.payments.values()].find(
      (each) => each.transaction === transaction,
    );
    if (!payment) return notFound;
    const { amount } = jsonIn(request) ?? {};
    if (payment.word !== "Completed" || book.refunds === "refused")
      return { status: 400, body: { detail: "Refund is not allowed.", error_key: "error" } };
    if (book.refunds === "mobile") return wrong("mobile", "This field is required.");
    const isWhole = amount === undefined || Number(amount) === Number(payment.units);
    payment.word = isWhole ? "Refunded" : "Partially refunded";
    return { status: 200, body: { detail: "Transaction refund successful." } };
  };

  const protocol: GatewayProtocol = {
    answer: (request) => {
      const { method, path } = request;
      const shown = answerPayPage(request, "Khalti", book, (payment, outcome) =>
        withQuery(payment.fields.return_url ?? "", {
          pidx: payment.reference,
          status: outcome === "approve" ? "Completed" : payment.word,
          transaction_id: payment.transaction ?? "",
          tidx: payment.transaction ?? "",
          txnId: payment.transaction ?? "",
          amount: String(payment.units),
          total_amount: String(payment.units),
          mobile: "98XXXXX000",
          purchase_order_id: payment.fields.purchase_order_id ?? "",
          purchase_order_name: payment.label,
        }),
      );
      if (shown) return shown;
      const refusal = refusalOf(request);
      if (refusal) return refusal;
      const route = `${method} ${path}`;
      if (route === "POST /api/v2/epayment/initiate/") return initiate(request);
      if (route === "POST /api/v2/epayment/lookup/") return lookUp(request);
      if (route === "GET /api/merchant-transaction/") return listed(request);
      const refunded = /^POST \/api\/merchant-transaction\/([^/]+)\/refund\/$/.exec(route);
      return refunded?.[1] ? refund(refunded[1], request) : notFound;
    },
    refusal: () => ({ status: 401, body: { detail: "Invalid token.", status_code: 401 } }),
    errorIn200: ({ body }) => ({ status: 200, body: { detail: `Error: ${body}` } }),
    control: (request) => list.control(request) ?? book.control(request),
    clear: () => {
      list.clear();
      book.clear();
    },
  };
  return { protocol, book, list };
}
