import { createHmac } from "node:crypto";
import * as z from "zod";
import { baseUrl, objectOf, isSame, secretText } from "../../outgoing/settings.ts";
import { codeOf, defineAdapter, isE164, referenceOf, stopsIn, wrongNumber } from "./adapter.ts";
import type { ReadReports, ReportedState, ReportRequest, SendResult } from "./channel.ts";
import {
  askGateway,
  formOf,
  isSuccess,
  jsonOf,
  type GatewayAnswer,
} from "../../outgoing/gateway.ts";
import { problemOf, resultByStatus } from "./gateway.ts";

const TwilioSettings = z
  .strictObject({
    baseUrl: baseUrl("https://api.twilio.com").describe("The address of Twilio's API."),
    accountSid: z
      .string()
      .regex(/^AC[0-9a-f]{32}$/)
      .describe("The Account SID, “AC…”, from Twilio's console."),
    authToken: secretText().describe("The auth token; it also signs delivery reports."),
    apiKeySid: z
      .string()
      .regex(/^SK[0-9a-f]{32}$/)
      .optional()
      .describe("An API key, “SK…”, to send with in place of the auth token."),
    apiKeySecret: secretText().optional().describe("The secret of the API key."),
    from: z
      .string()
      .regex(/^(\+[1-9]\d{6,14}|[A-Za-z0-9 ]{1,11})$/)
      .optional()
      .describe("The sender: a number such as +15017122661, or a registered name."),
    messagingServiceSid: z
      .string()
      .regex(/^MG[0-9a-f]{32}$/)
      .optional()
      .describe("A messaging service, “MG…”, in place of a sender."),
  })
  .refine(({ from, messagingServiceSid }) => Boolean(from) !== Boolean(messagingServiceSid), {
    error: "Give either a sender or a messaging service.",
    path: ["from"],
  })
  .refine(({ apiKeySid, apiKeySecret }) => Boolean(apiKeySid) === Boolean(apiKeySecret), {
    error: "An API key has a SID and a secret.",
    path: ["apiKeySecret"],
  });
type TwilioSettings = z.infer<typeof TwilioSettings>;

const RECIPIENT = new Set([
  "21211",
  "21214",
  "21217",
  "21219",
  "21265",
  "21408",
  "21610",
  "21612",
  "21614",
  "21635",
  "30003",
  "30004",
  "30005",
  "30006",
]);
const CREDENTIALS = new Set([
  "10001",
  "20003",
  "20005",
  "20008",
  "20404",
  "21212",
  "21603",
  "21606",
  "21608",
  "21659",
  "21660",
  "21703",
  "21704",
  "21705",
  "30002",
]);
const LATER = new Set(["14107", "20429", "21611", "30001", "63038"]);

const REFUSALS: Record<string, string> = {
  20003: "Twilio does not accept the credentials.",
  21211: "Twilio says that the recipient's number is not valid.",
  21408: "The Twilio account may not send to the recipient's country.",
  21610: "The recipient has stopped messages from this sender.",
  21614: "The recipient's number cannot receive messages.",
};

function refusalOf(code: string, answer: GatewayAnswer): SendResult {
  const text = REFUSALS[code] ?? `Twilio refused the message (${code}).`;
  if (LATER.has(code)) {
    const afterSeconds = answer.kind === "answered" ? answer.retryAfter : null;
    return {
      state: "retry",
      code,
      text: `Twilio takes no more at present (${code}).`,
      afterSeconds,
    };
  }
  const about = RECIPIENT.has(code)
    ? "recipient"
    : CREDENTIALS.has(code)
      ? "credentials"
      : "message";
  return { state: "failed", code, text, about };
}

function readAnswer(answer: GatewayAnswer): SendResult {
  const { sid, status, error_code, code } = objectOf(jsonOf(answer));
  if (isSuccess(answer)) {
    if (typeof sid !== "string" || !/^(SM|MM)[0-9a-f]{32}$/.test(sid))
      return resultByStatus(answer);
    const state = STATES[String(status)];
    if (state === "failed") return refusalOf(codeOf(error_code), answer);
    return state ? { state: "accepted", reference: sid } : resultByStatus(answer);
  }
  const isRefused = answer.kind === "answered" && answer.status >= 400 && answer.status < 500;
  const given = codeOf(code);
  return isRefused && /^\d{5}$/.test(given) ? refusalOf(given, answer) : resultByStatus(answer);
}

const STATES: Record<string, ReportedState["state"]> = {
  queued: "accepted",
  accepted: "accepted",
  scheduled: "accepted",
  sending: "accepted",
  sent: "accepted",
  delivered: "delivered",
  read: "read",
  undelivered: "failed",
  failed: "failed",
  canceled: "failed",
};

const authorization = ({ accountSid, authToken, apiKeySid, apiKeySecret }: TwilioSettings) => {
  const pair = apiKeySid ? `${apiKeySid}:${apiKeySecret}` : `${accountSid}:${authToken}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
};

/** The signature that Twilio gives a callback: over the public URL and each sorted field. */
export function twilioSignature(
  authToken: string,
  url: string,
  fields: Iterable<[string, string]>,
): string {
  const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const signed = url + sorted.map(([name, value]) => name + value).join("");
  return createHmac("sha1", authToken).update(signed).digest("base64");
}

/** Names the message in the URL of its reports, which the signature covers. */
const reportUrlOf = (url: string, id: string) => {
  const named = new URL(url);
  named.searchParams.set("message", id);
  return named.href;
};

const MOST_SECONDS = 14_400;

function readReports(
  { method, url, headers, rawBody }: ReportRequest,
  settings: TwilioSettings,
): ReadReports | null {
  const fields = new URLSearchParams(rawBody.toString("utf8"));
  const expected = twilioSignature(settings.authToken, url, fields);
  if (method !== "POST" || !isSame(headers["x-twilio-signature"], expected)) return null;
  if (fields.get("AccountSid") !== settings.accountSid) return { reports: [] };
  // An answer of a recipient.
  const stops = stopsIn(fields.get("From"), fields.get("Body"));
  if (stops.length > 0) return { reports: [], stops };
  const reference = referenceOf(fields.get("MessageSid"));
  const state = STATES[fields.get("MessageStatus") ?? ""];
  if (!reference || !state) return { reports: [] };
  const messageId = new URL(url).searchParams.get("message");
  const errorCode = fields.get("ErrorCode");
  const code = errorCode ? codeOf(errorCode) : null;
  return { reports: [{ reference, messageId, state, code, at: null }] };
}

/** Twilio Messages, https://www.twilio.com/docs/messaging/api/message-resource. */
export const twilio = defineAdapter<TwilioSettings>({
  provider: "twilio",
  channel: "sms",
  settings: TwilioSettings,
  secrets: ["authToken", "apiKeySecret"],
  send: async ({ id, to, text, reportUrl, validSeconds }, settings, io) => {
    if (!isE164(to)) return wrongNumber("The number has no country code.");
    const { accountSid, from, messagingServiceSid } = settings;
    const { headers, body } = formOf({
      To: to,
      Body: text,
      ...(messagingServiceSid
        ? { MessagingServiceSid: messagingServiceSid }
        : { From: from ?? "" }),
      ...(reportUrl && { StatusCallback: reportUrlOf(reportUrl, id) }),
      ...(validSeconds !== null && {
        ValidityPeriod: String(Math.min(Math.max(Math.floor(validSeconds), 1), MOST_SECONDS)),
      }),
    });
    const answer = await askGateway(
      {
        method: "POST",
        url: `${settings.baseUrl}/2010-04-01/Accounts/${accountSid}/Messages.json`,
        headers: { ...headers, ...authorization(settings) },
        body,
      },
      io,
    );
    return readAnswer(answer);
  },
  check: async (settings, io) => {
    const url = `${settings.baseUrl}/2010-04-01/Accounts/${settings.accountSid}/Balance.json`;
    const answer = await askGateway(
      { method: "GET", url, headers: authorization(settings) },
      io,
    );
    const { balance, currency } = objectOf(jsonOf(answer));
    if (isSuccess(answer) && typeof balance === "string" && /^-?[\d.]{1,20}$/.test(balance))
      return {
        ok: true,
        text: "Twilio accepts the credentials.",
        credit:
          `${balance} ${/^[A-Z]{3}$/.test(String(currency)) ? String(currency) : ""}`.trim(),
      };
    const refusal = readAnswer(answer);
    return { ok: false, text: refusal.state === "failed" ? refusal.text : problemOf(answer) };
  },
  readReports,
});
