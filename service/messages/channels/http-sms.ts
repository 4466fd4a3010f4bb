import { createHmac } from "node:crypto";
import { isSame } from "../../outgoing/settings.ts";
import {
  codeOf,
  defineAdapter,
  isE164,
  referenceOf,
  safeWords,
  wrongNumber,
} from "./adapter.ts";
import type { OutgoingMessage, ReadReports, ReportRequest, SendResult } from "./channel.ts";
import {
  askGateway,
  isSuccess,
  jsonOf,
  type GatewayAnswer,
  type GatewayRequest,
} from "../../outgoing/gateway.ts";
import { problemOf, resultByStatus } from "./gateway.ts";
import { HttpSmsSettings } from "./http-sms-settings.ts";

/** The value at a dotted path; undefined if there is none. */
function valueAt(value: unknown, path: string | undefined): unknown {
  if (path === undefined) return undefined;
  return path
    .split(".")
    .reduce<unknown>(
      (at, name) =>
        typeof at === "object" && at !== null && Object.hasOwn(at, name)
          ? (at as Record<string, unknown>)[name]
          : undefined,
      value,
    );
}

interface Branch {
  [name: string]: string | Branch;
}

/** Makes JSON of fields with dotted paths; digits in a path make a list. */
function nested(fields: [string, string][]): unknown {
  const tree = Object.create(null) as Branch;
  for (const [path, value] of fields) {
    const steps = path.split(".");
    const last = steps.pop() ?? "";
    let at = tree;
    for (const step of steps) {
      const next = at[step];
      at = typeof next === "object" ? next : (at[step] = Object.create(null) as Branch);
    }
    at[last] = value;
  }
  return withLists(tree);
}

function withLists(value: string | Branch): unknown {
  if (typeof value === "string") return value;
  const names = Object.keys(value);
  const inner = names.map((name) => withLists(value[name] ?? ""));
  return names.every((name, index) => name === String(index))
    ? inner
    : Object.fromEntries(names.map((name, index) => [name, inner[index]]));
}

function numberOf(to: string, { numberForm, countryCode }: HttpSmsSettings): string | null {
  if (!isE164(to)) return null;
  if (numberForm === "e164") return to;
  if (numberForm === "digits") return to.slice(1);
  return to.startsWith(`+${countryCode}`) ? to.slice(countryCode.length + 1) : null;
}

const reportUrlOf = (
  message: OutgoingMessage,
  { reportProof, reportSecret }: HttpSmsSettings,
) => {
  const url = new URL(message.reportUrl ?? "");
  url.searchParams.set("message", message.id);
  if (reportProof === "token" && reportSecret) url.searchParams.set("token", reportSecret);
  return url.href;
};

function requestOf(
  message: OutgoingMessage,
  number: string,
  settings: HttpSmsSettings,
): GatewayRequest {
  const { auth, authName = "", secret = "", senderField, sender, reportUrlField } = settings;
  const fields: [string, string][] = [
    ...Object.entries(settings.constants),
    [settings.toField, number],
    [settings.textField, message.text],
  ];
  if (senderField && sender) fields.push([senderField, sender]);
  if (reportUrlField && message.reportUrl)
    fields.push([reportUrlField, reportUrlOf(message, settings)]);
  if (auth === "field") fields.push([authName, secret]);
  const request = {
    method: settings.method,
    url: settings.url,
    headers: headersOf(settings),
    timeout: settings.timeoutSeconds * 1_000,
  };
  if (settings.body === "query") {
    const url = new URL(settings.url);
    for (const [name, value] of fields) url.searchParams.set(name, value);
    return { ...request, url: url.href };
  }
  const [type, body] =
    settings.body === "json"
      ? ["application/json", JSON.stringify(nested(fields))]
      : ["application/x-www-form-urlencoded", new URLSearchParams(fields).toString()];
  return { ...request, headers: { ...request.headers, "content-type": type }, body };
}

function headersOf({ auth, authName = "", secret = "" }: HttpSmsSettings) {
  const basic = Buffer.from(`${authName}:${secret}`).toString("base64");
  const headers: Record<string, string> = {};
  if (auth === "basic") headers["authorization"] = `Basic ${basic}`;
  if (auth === "bearer") headers["authorization"] = `Bearer ${secret}`;
  if (auth === "header") headers[authName] = secret;
  return headers;
}

const plain = (value: unknown) =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";

/** Whether the answer meets the success rule of the settings. */
function isAccepted(answer: GatewayAnswer, json: unknown, settings: HttpSmsSettings): boolean {
  if (answer.kind !== "answered" || answer.body === null) return false;
  const { successStatus, successPath, successValues, successText } = settings;
  if (!successStatus.includes(answer.status)) return false;
  if (successPath) {
    const found = plain(valueAt(json, successPath));
    return successValues.length > 0 ? successValues.includes(found) : found !== "";
  }
  return successText === undefined || answer.body.trimStart().startsWith(successText);
}

function readAnswer(
  answer: GatewayAnswer,
  message: OutgoingMessage,
  settings: HttpSmsSettings,
): SendResult {
  const json = jsonOf(answer);
  if (isAccepted(answer, json, settings))
    return { state: "accepted", reference: referenceOf(valueAt(json, settings.referencePath)) };
  const given = plain(valueAt(json, settings.errorCodePath));
  const said = safeWords(valueAt(json, settings.errorTextPath), message);
  const code = codeOf(given);
  const text = `The gateway refused the message (${code})${said ? `: ${said}` : "."}`;
  if (settings.recipientCodes.includes(given))
    return { state: "failed", code, text, about: "recipient" };
  if (settings.accountCodes.includes(given))
    return { state: "failed", code, text, about: "credentials" };
  if (settings.messageCodes.includes(given))
    return { state: "failed", code, text, about: "message" };
  if (settings.laterCodes.includes(given)) {
    const afterSeconds = answer.kind === "answered" ? answer.retryAfter : null;
    return { state: "retry", code, text, afterSeconds };
  }
  return resultByStatus(answer);
}

/** The fields of a report: of its query, and of its form or JSON. */
function fieldsOfReport({ url, headers, rawBody }: ReportRequest): unknown {
  const query = Object.fromEntries(new URL(url).searchParams);
  const body = rawBody.toString("utf8");
  if (!headers["content-type"]?.includes("json"))
    return { ...query, ...Object.fromEntries(new URLSearchParams(body)) };
  const parsed: unknown = JSON.parse(body);
  return typeof parsed === "object" ? { ...query, ...parsed } : query;
}

function isProven(
  { url, headers, rawBody }: ReportRequest,
  settings: HttpSmsSettings,
): boolean {
  const { reportProof, reportSecret = "", reportSignatureHeader = "" } = settings;
  if (reportSecret === "") return false;
  if (reportProof === "token")
    return isSame(new URL(url).searchParams.get("token"), reportSecret);
  const given = headers[reportSignatureHeader.toLowerCase()];
  const digest = createHmac("sha256", reportSecret).update(rawBody).digest();
  const bare = typeof given === "string" ? given.replace(/^sha256=/, "") : given;
  return isSame(bare, digest.toString("hex")) || isSame(bare, digest.toString("base64"));
}

function readReports(request: ReportRequest, settings: HttpSmsSettings): ReadReports | null {
  if (!isProven(request, settings)) return null;
  const fields = fieldsOfReport(request);
  const reference = referenceOf(valueAt(fields, settings.reportReferenceField));
  const word = plain(valueAt(fields, settings.reportStateField));
  const state = settings.deliveredWords.includes(word)
    ? "delivered"
    : settings.failedWords.includes(word)
      ? "failed"
      : null;
  if (!reference || !state) return { reports: [] };
  const given = plain(valueAt(fields, settings.reportCodeField));
  const messageId = referenceOf(new URL(request.url).searchParams.get("message"));
  const code = state === "failed" && given !== "" ? codeOf(given) : null;
  return { reports: [{ reference, messageId, state, code, at: null }] };
}

/** Any gateway that takes one message by one HTTP request, as its settings describe. */
export const httpSms = defineAdapter<HttpSmsSettings>({
  provider: "http_sms",
  channel: "sms",
  settings: HttpSmsSettings,
  secrets: ["secret", "reportSecret"],
  send: async (message, settings, io) => {
    const number = numberOf(message.to, settings);
    if (number === null)
      return wrongNumber(`The gateway reaches numbers of +${settings.countryCode} only.`);
    const answer = await askGateway(requestOf(message, number, settings), io);
    return readAnswer(answer, message, settings);
  },
  check: async (settings, io) => {
    const { balanceUrl, balancePath } = settings;
    if (!balanceUrl || !balancePath)
      return { ok: true, text: "Only a test message shows whether these settings work." };
    const url = new URL(balanceUrl);
    if (settings.auth === "field")
      url.searchParams.set(settings.authName ?? "", settings.secret ?? "");
    const timeout = settings.timeoutSeconds * 1_000;
    const headers = headersOf(settings);
    const answer = await askGateway({ method: "GET", url: url.href, headers, timeout }, io);
    const credit = codeOf(valueAt(jsonOf(answer), balancePath));
    return isSuccess(answer) && credit !== "other"
      ? { ok: true, text: "The gateway accepts the credentials.", credit }
      : { ok: false, text: problemOf(answer) };
  },
  readReports,
});
