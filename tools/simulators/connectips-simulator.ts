import { createVerify } from "node:crypto";
import {
  formIn,
  jsonIn,
  type GatewayProtocol,
  type SimulatedAnswer,
  type SimulatedRequest,
} from "./gateway-simulator.ts";
import { answerPayPage, page, PaymentBook, toPayPage, withQuery } from "./payment-book.ts";

interface ConnectIpsAccount {
  merchantId: number;
  appId: string;
  appName: string;
  password: string;
  /** The public half of the merchant's key, as PEM. */
  publicKey: string;
  /** The addresses that are registered for the app; only TXNID is added to them. */
  returns: () => { success: string; failure: string } | null;
}

/** The fields of the form in the order in which they are signed, with their greatest length. */
const FORM: Record<string, number> = {
  MERCHANTID: 20,
  APPID: 20,
  APPNAME: 30,
  TXNID: 20,
  TXNDATE: 10,
  TXNCRNCY: 3,
  TXNAMT: 20,
  REFERENCEID: 20,
  REMARKS: 50,
  PARTICULARS: 100,
};

/** connectIPS, as https://doc.connectips.com describes it. */
export function connectIpsProtocol(account: ConnectIpsAccount) {
  const { merchantId, appId, appName, password, publicKey } = account;
  const book = new PaymentBook({
    approve: "SUCCESS",
    decline: "FAILED",
    cancel: "INCOMPLETE",
    expire: "INCOMPLETE",
    refund: "REVERSED",
  });
  const basic = `Basic ${Buffer.from(`${appId}:${password}`).toString("base64")}`;
  const isSigned = (pairs: [string, string][], token: string) =>
    createVerify("RSA-SHA256")
      .update(pairs.map(([name, text]) => `${name}=${text}`).join(","))
      .verify(publicKey, token, "base64");

  const today = () => {
    const [year, month, day] = book
      .now()
      .toLocaleDateString("en-CA", { timeZone: "Asia/Kathmandu" })
      .split("-");
    return `${day}-${month}-${year}`;
  };

  const login = (request: SimulatedRequest): SimulatedAnswer => {
    const fields = Object.fromEntries(formIn(request) ?? []);
    for (const [name, most] of Object.entries(FORM)) {
      const text = fields[name] ?? "";
      if (text === "" || text.length > most) return page(400, `connectIPS: invalid ${name}`);
      if (/[,=]/.test(text)) return page(400, `connectIPS: invalid ${name}`);
    }
    const pairs = Object.keys(FORM).map((name): [string, string] => [name, fields[name] ?? ""]);
    if (!isSigned([...pairs, ["TOKEN", "TOKEN"]], fields.TOKEN ?? ""))
      return page(400, "connectIPS: invalid token");
    const isKnown =
      fields.MERCHANTID === String(merchantId) &&
      fields.APPID === appId &&
      fields.APPNAME === appName;
    if (!isKnown) return page(403, "connectIPS: unknown merchant");
    if (fields.TXNDATE !== today()) return page(400, "connectIPS: invalid TXNDATE");
    if (fields.TXNCRNCY !== "NPR" || !/^\d+$/.test(fields.TXNAMT ?? ""))
      return page(400, "connectIPS: invalid amount");
    const reference = fields.TXNID ?? "";
    if (book.payments.has(reference))
      return page(403, "connectIPS: multiple gateway payments are not allowed");
    book.begin({
      reference,
      units: BigInt(fields.TXNAMT ?? ""),
      currency: "NPR",
      label: fields.PARTICULARS ?? "",
      word: "INCOMPLETE",
      fields,
    });
    return toPayPage(reference);
  };

  const question = (request: SimulatedRequest, isDetail: boolean): SimulatedAnswer => {
    if (request.headers.authorization !== basic)
      return { status: 401, body: { status: 401, error: "Unauthorized" } };
    const given = jsonIn(request) ?? {};
    const [referenceId, txnAmt, token] = ["referenceId", "txnAmt", "token"].map((name) => {
      const value = given[name];
      return typeof value === "string" ? value : "";
    }) as [string, string, string];
    const pairs: [string, string][] = [
      ["MERCHANTID", String(merchantId)],
      ["APPID", appId],
      ["REFERENCEID", referenceId],
      ["TXNAMT", txnAmt],
    ];
    if (!isSigned(pairs, token))
      return { status: 400, body: { status: 400, error: "Invalid token" } };
    const payment = book.payments.get(referenceId);
    const isFound = payment !== undefined && String(payment.units) === txnAmt;
    const common = { merchantId, appId, referenceId, token: null };
    if (!isFound || payment.word === "INCOMPLETE") {
      const statusDesc = isFound ? "TRANSACTION INCOMPLETE" : "TRANSACTION NOT FOUND";
      const body = { ...common, txnAmt, status: "ERROR", statusDesc };
      return { status: 200, body: book.told(body) };
    }
    const { word: status } = payment;
    // connectIPS spells it so.
    const statusDesc =
      status === "SUCCESS" ? "TRANSACTION SUCESSFULL" : `TRANSACTION ${status}`;
    if (!isDetail)
      return { status: 200, body: book.told({ ...common, txnAmt, status, statusDesc }) };
    return {
      status: 200,
      body: {
        ...common,
        txnAmt: Number(txnAmt),
        status,
        statusDesc,
        debitBankCode: "0401",
        txnId: Number.parseInt(payment.transaction ?? "0", 16),
        batchId: 78,
        txnDate: payment.begun_at.getTime(),
        txnCrncy: "NPR",
        chargeAmt: 500,
        chargeLiability: "MN",
        refId: payment.fields.REFERENCEID,
        remarks: payment.fields.REMARKS,
        particulars: payment.fields.PARTICULARS,
        creditStatus: "DEFER",
      },
    };
  };

  const protocol: GatewayProtocol = {
    answer: (request) => {
      const shown = answerPayPage(request, "connectIPS", book, ({ reference }, outcome) => {
        const returns = account.returns();
        if (!returns) return null;
        const url = outcome === "approve" ? returns.success : returns.failure;
        return withQuery(url, { TXNID: reference });
      });
      if (shown) return shown;
      const route = `${request.method} ${request.path}`;
      if (route === "POST /connectipswebgw/loginpage") return login(request);
      if (route === "POST /connectipswebws/api/creditor/validatetxn")
        return question(request, false);
      if (route === "POST /connectipswebws/api/creditor/gettxndetail")
        return question(request, true);
      return { status: 404, body: "" };
    },
    refusal: () => ({ status: 401, body: { status: 401, error: "Unauthorized" } }),
    errorIn200: () => ({ status: 200, body: { status: "ERROR", statusDesc: "SYSTEM ERROR" } }),
    control: (request) => book.control(request),
    clear: () => book.clear(),
  };
  return { protocol, book };
}
