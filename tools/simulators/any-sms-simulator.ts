import { randomBytes } from "node:crypto";
import {
  formIn,
  jsonIn,
  type GatewayProtocol,
  type SimulatedAnswer,
  type SimulatedRequest,
} from "./gateway-simulator.ts";

interface AnySmsAccount {
  key: string;
}

/** Three gateways such as the settings of `http_sms` describe: /json, /form and /query. */
export function anySmsProtocol({ key }: AnySmsAccount): GatewayProtocol {
  const take = (to: string, text: string, reportUrl: string | null) => ({
    to,
    text,
    reference: randomBytes(8).toString("hex"),
    reportUrl,
    fields: {},
  });

  /** Takes a Bearer key and nested JSON with numbers of digits only; answers JSON with the message's id. */
  const sendJson = (request: SimulatedRequest): SimulatedAnswer => {
    if (request.headers.authorization !== `Bearer ${key}`)
      return { status: 401, body: { error: { code: "E_KEY", text: "Unknown key" } } };
    const { messages, callback } = jsonIn(request) ?? {};
    const [message] = Array.isArray(messages) ? (messages as Record<string, unknown>[]) : [];
    const { to, text } = message ?? {};
    if (typeof to !== "string" || !/^[1-9]\d{6,14}$/.test(to))
      return {
        status: 400,
        body: { error: { code: "E_NUMBER", text: `Bad number ${String(to)}` } },
      };
    if (typeof text !== "string" || text === "")
      return { status: 400, body: { error: { code: "E_TEXT", text: "No text" } } };
    const taken = take(to, text, typeof callback === "string" ? callback : null);
    const body = { status: "queued", result: { id: taken.reference } };
    return { status: 202, body, taken: [taken] };
  };

  /** Takes a form with the key as a field and a national number; answers plain text that begins with OK. */
  const sendForm = (request: SimulatedRequest): SimulatedAnswer => {
    const fields = formIn(request);
    if (fields?.get("apikey") !== key) return { status: 403, body: "ERR 401 unknown key" };
    const [to, text] = [fields.get("mobile") ?? "", fields.get("message") ?? ""];
    if (!/^\d{10}$/.test(to) || text === "")
      return { status: 200, body: "ERR 402 bad request" };
    return { status: 200, body: "OK queued", taken: [take(to, text, null)] };
  };

  /** Takes Basic authentication and a query with the message and a number with +; answers XML. */
  const sendQuery = ({ headers, query }: SimulatedRequest): SimulatedAnswer => {
    const basic = `Basic ${Buffer.from(`phewa:${key}`).toString("base64")}`;
    if (headers.authorization !== basic) return { status: 401, body: "<error>login</error>" };
    const [to, text] = [query.get("to") ?? "", query.get("text") ?? ""];
    if (!/^\+[1-9]\d{6,14}$/.test(to) || text === "")
      return { status: 200, body: "<result>rejected</result>" };
    return { status: 200, body: "<result>ok</result>", taken: [take(to, text, null)] };
  };

  return {
    answer: (request) => {
      const route = `${request.method} ${request.path}`;
      if (route === "POST /json") return sendJson(request);
      if (route === "POST /form") return sendForm(request);
      if (route === "GET /query") return sendQuery(request);
      if (route === "GET /balance" && request.headers.authorization === `Bearer ${key}`)
        return { status: 200, body: { account: { left: 42 } } };
      return { status: 404, body: "Not found" };
    },
    refusal: ({ path }) =>
      path === "/json"
        ? { status: 200, body: { error: { code: "E_KEY", text: `Unknown key ${key}` } } }
        : { status: 401, body: "ERR 401 unknown key" },
    errorIn200: ({ path, body }) =>
      path === "/json"
        ? { status: 200, body: { error: { code: "E_NUMBER", text: `Bad number in ${body}` } } }
        : { status: 200, body: `ERR 402 ${body}` },
    report: ({ reference, reportUrl }, state, code) => ({
      url: reportUrl ?? "",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: reference, state, ...(code && { code }) }),
    }),
  };
}
