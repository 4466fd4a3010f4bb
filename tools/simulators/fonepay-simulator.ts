import { createHmac } from "node:crypto";
import {
  jsonIn,
  type GatewayProtocol,
  type SimulatedAnswer,
  type SimulatedRequest,
} from "./gateway-simulator.ts";
import {
  answerPayPage,
  originOf,
  page,
  PaymentBook,
  toPayPage,
  withQuery,
} from "./payment-book.ts";

interface FonepayAccount {
  merchantCode: string;
  secretKey: string;
  username: string;
  password: string;
}

const ROOM = "/api/merchant/merchantDetailsForThirdParty";
const PAGE = ["PID", "MD", "PRN", "AMT", "CRN", "DT", "R1", "R2", "RU"];

const refused = (message: string, status = 406): SimulatedAnswer => ({
  status,
  body: { errorCode: status, message },
});

const unitsOf = (rupees: string) =>
  /^\d+(\.\d{1,2})?$/.test(rupees) ? BigInt(Math.round(Number(rupees) * 100)) : null;

/**
 * Fonepay by its page in the browser (2.0, newer verification) and by QR code (1.1). The QR code
 * holds the address of a page that plays the buyer's banking app.
 */
export function fonepayProtocol({
  merchantCode,
  secretKey,
  username,
  password,
}: FonepayAccount) {
  const book = new PaymentBook({
    approve: "success",
    decline: "failed",
    cancel: "failed",
    expire: "timeout",
    refund: "reversed",
  });
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const sign = (values: string[]) =>
    createHmac("sha512", secretKey).update(values.join(",")).digest("hex");

  const open = ({ query }: SimulatedRequest): SimulatedAnswer => {
    const values = PAGE.map((name) => query.get(name) ?? "");
    if (values.includes("")) return page(400, "Fonepay: a parameter is missing");
    if (query.get("DV")?.toLowerCase() !== sign(values))
      return page(400, "Fonepay: data validation failed");
    const [pid, , prn, amount, currency, date, r1, r2, returned] = values as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const units = unitsOf(amount);
    const isRight =
      pid === merchantCode &&
      prn.length <= 25 &&
      currency === "NPR" &&
      /^\d{2}\/\d{2}\/\d{4}$/.test(date) &&
      r1.length <= 160 &&
      r2.length <= 50 &&
      returned.length <= 150 &&
      units !== null;
    if (!isRight) return page(400, "Fonepay: a parameter is not valid");
    if (book.payments.has(prn)) return page(409, "Fonepay: duplicate PRN");
    const fields = { RU: returned, way: "page" };
    book.begin({ reference: prn, units, currency, label: r1, word: "pending", fields });
    return toPayPage(prn);
  };

  const statusOf = (prn: string, isWithAmount: boolean): SimulatedAnswer => {
    const payment = book.payments.get(prn);
    if (!payment) return refused("Data not found", 404);
    const rupees = Number(payment.units) / 100;
    const body = book.told({
      fonepayTraceId: payment.transaction ? Number.parseInt(payment.transaction, 16) : 0,
      merchantCode,
      paymentStatus: payment.word,
      prn,
      ...(isWithAmount && { requestedAmount: rupees, totalTransactionAmount: rupees }),
    });
    return { status: 200, body };
  };

  const verify = (request: SimulatedRequest): SimulatedAnswer => {
    const { headers, path, body } = request;
    if (headers.authorization !== basic) return refused("Invalid username or password", 401);
    const signed = [
      username,
      password,
      "POST",
      "application/json",
      path.replace(/^\/api/, ""),
      body,
    ];
    if (headers.auth !== sign(signed)) return refused("Validation failed");
    const given = jsonIn(request) ?? {};
    if (given.merchantCode !== merchantCode) return refused("Invalid merchant code");
    return statusOf(String(given.prn), true);
  };

  const code = (request: SimulatedRequest, isNew: boolean): SimulatedAnswer => {
    const given = Object.fromEntries(
      Object.entries(jsonIn(request) ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const { amount = "", prn = "", remarks1 = "", remarks2 = "" } = given;
    if (given.username !== username || given.password !== password)
      return refused("Invalid username or password");
    if (given.merchantCode !== merchantCode) return refused("Invalid merchant code");
    const signed = isNew
      ? [amount, prn, merchantCode, remarks1, remarks2]
      : [prn, merchantCode];
    if (given.dataValidation !== sign(signed)) return refused("Data validation failed");
    if (!isNew) return statusOf(prn, false);
    const units = unitsOf(amount);
    if (units === null || prn === "" || prn.length > 25 || remarks1.length > 25)
      return refused("Validation failed: prn, amount or remarks");
    if (book.payments.has(prn)) return refused("PRN exists already", 409);
    const fields = { way: "qr" };
    const reference = prn;
    book.begin({ reference, units, currency: "NPR", label: remarks1, word: "pending", fields });
    const body = book.told({
      message: "successfull",
      qrMessage: `${originOf(request)}/pay?reference=${prn}`,
      status: "CREATED",
      statusCode: 201,
      success: true,
      thirdpartyQrWebSocketUrl: "ws://127.0.0.1:9/silent",
    });
    return { status: 201, body };
  };

  const protocol: GatewayProtocol = {
    answer: (request) => {
      const shown = answerPayPage(request, "Fonepay", book, (payment, outcome) => {
        const { RU } = payment.fields;
        if (!RU) return null;
        const rupees = String(Number(payment.units) / 100);
        const isPaid = outcome === "approve";
        const fields = {
          PRN: payment.reference,
          PID: merchantCode,
          PS: String(isPaid),
          RC: isPaid ? "successful" : outcome === "cancel" ? "cancel" : "failed",
          UID: payment.transaction ?? "0",
          BC: "TESTBANK",
          INI: "9800000001",
          P_AMT: rupees,
          R_AMT: rupees,
        };
        const DV = sign(Object.values(fields)).toUpperCase();
        return withQuery(RU, { ...fields, DV });
      });
      if (shown) return shown;
      switch (`${request.method} ${request.path}`) {
        case "GET /api/merchantRequest":
          return open(request);
        case `POST ${ROOM}/txnVerification`:
          return verify(request);
        case `POST ${ROOM}/thirdPartyDynamicQrDownload`:
          return code(request, true);
        case `POST ${ROOM}/thirdPartyDynamicQrGetStatus`:
          return code(request, false);
        default:
          return { status: 404, body: "" };
      }
    },
    refusal: () => refused("Invalid username or password"),
    errorIn200: ({ body }) => ({ status: 200, body: { message: `Error: ${body}` } }),
    control: (request) => book.control(request),
    clear: () => book.clear(),
  };
  return { protocol, book };
}
