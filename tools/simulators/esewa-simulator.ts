import { createHmac, randomBytes } from "node:crypto";
import {
  formIn,
  type GatewayProtocol,
  type SimulatedAnswer,
  type SimulatedRequest,
} from "./gateway-simulator.ts";
import { answerPayPage, PaymentBook, toPayPage } from "./payment-book.ts";

interface EsewaAccount {
  productCode: string;
  secretKey: string;
}

const FIELDS = [
  "amount",
  "tax_amount",
  "product_service_charge",
  "product_delivery_charge",
  "total_amount",
  "transaction_uuid",
  "product_code",
  "success_url",
  "failure_url",
  "signed_field_names",
  "signature",
] as const;
const SIGNED = "total_amount,transaction_uuid,product_code";
const RETURNED =
  "transaction_code,status,total_amount,transaction_uuid,product_code,signed_field_names";

const refused = (code: string, message: string, status = 400): SimulatedAnswer => ({
  status,
  body: { code, message },
});

/** eSewa ePay v2, as https://developer.esewa.com.np/pages/Epay describes it. */
export function esewaProtocol({ productCode, secretKey }: EsewaAccount) {
  const book = new PaymentBook({
    approve: "COMPLETE",
    decline: "PENDING",
    cancel: "CANCELED",
    expire: "NOT_FOUND",
    refund: "FULL_REFUND",
  });
  const sign = (fields: Record<string, string>, names: string) =>
    createHmac("sha256", secretKey)
      .update(
        names
          .split(",")
          .map((name) => `${name}=${fields[name]}`)
          .join(","),
      )
      .digest("base64");

  const take = (request: SimulatedRequest): SimulatedAnswer => {
    const form = formIn(request);
    if (!form) return refused("ES400", "Unsupported media type.", 415);
    const fields = Object.fromEntries(form);
    for (const name of FIELDS)
      if (!fields[name]) return refused("ES400", `${name} is required.`);
    const [amount, tax, service, delivery, total] = FIELDS.slice(0, 5).map((name) =>
      Math.round(Number(fields[name]) * 100),
    ) as [number, number, number, number, number];
    if (amount + tax + service + delivery !== total)
      return refused("ES400", "total_amount is not the sum.");
    if (fields.signed_field_names !== SIGNED || fields.signature !== sign(fields, SIGNED))
      return refused("ES104", "Invalid payload signature.");
    if (fields.product_code !== productCode) return refused("ES400", "Unknown product code.");
    const reference = fields.transaction_uuid ?? "";
    if (!/^[A-Za-z0-9-]+$/.test(reference)) return refused("ES400", "Wrong transaction_uuid.");
    if (book.payments.has(reference))
      return refused("ES409", "Duplicate transaction UUID.", 409);
    book.begin({
      reference,
      units: BigInt(total),
      currency: "NPR",
      label: productCode,
      word: "PENDING",
      fields,
    });
    return toPayPage(reference);
  };

  const status = ({ query }: SimulatedRequest): SimulatedAnswer => {
    const [code, total, uuid] = ["product_code", "total_amount", "transaction_uuid"].map(
      (name) => query.get(name) ?? "",
    ) as [string, string, string];
    if (code !== productCode)
      return { status: 400, body: { code: 400, error_message: "Invalid product code." } };
    const payment = book.payments.get(uuid);
    const isFound = payment?.fields.total_amount === total;
    const word = isFound && payment ? payment.word : "NOT_FOUND";
    const body = book.told({
      product_code: code,
      transaction_uuid: uuid,
      total_amount: Number(total),
      status: word,
      ref_id: isFound ? payment?.transaction : null,
    });
    return { status: 200, body };
  };

  const protocol: GatewayProtocol = {
    answer: (request) => {
      const { method, path } = request;
      const shown = answerPayPage(request, "eSewa", book, (payment, outcome) => {
        const { success_url = "", failure_url = "", total_amount = "" } = payment.fields;
        if (outcome !== "approve") return failure_url;
        const whole = Number(total_amount).toLocaleString("en-US", {
          minimumFractionDigits: 1,
        });
        const fields: Record<string, string> = {
          transaction_code: payment.transaction ?? "",
          status: "COMPLETE",
          total_amount: whole,
          transaction_uuid: payment.reference,
          product_code: productCode,
          signed_field_names: RETURNED,
        };
        const signed = { ...fields, signature: sign(fields, RETURNED) };
        const data = Buffer.from(JSON.stringify(signed)).toString("base64").replace(/=+$/, "");
        // eSewa puts a question mark before its field, whatever the address holds already.
        return `${success_url}?data=${data}`;
      });
      if (shown) return shown;
      const route = `${method} ${path}`;
      if (route === "POST /api/epay/main/v2/form") return take(request);
      if (route === "GET /api/epay/transaction/status/") return status(request);
      return { status: 404, body: "" };
    },
    refusal: () => ({ status: 403, body: { code: 403, error_message: "Forbidden" } }),
    errorIn200: () => ({
      status: 200,
      body: {
        code: 0,
        error_message: `Service is currently unavailable ${randomBytes(2).toString("hex")}`,
      },
    }),
    control: (request) => book.control(request),
    clear: () => book.clear(),
  };
  return { protocol, book };
}
