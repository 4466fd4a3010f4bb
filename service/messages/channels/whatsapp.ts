import { createHmac } from "node:crypto";
import * as z from "zod";
import { baseUrl, objectOf, isSame, secretText } from "../../outgoing/settings.ts";
import { codeOf, defineAdapter, isE164, referenceOf, stopsIn, wrongNumber } from "./adapter.ts";
import type {
  OutgoingMessage,
  ReadReports,
  ReportedState,
  ReportRequest,
  SendResult,
} from "./channel.ts";
import { askGateway, isSuccess, jsonOf, type GatewayAnswer } from "../../outgoing/gateway.ts";
import { problemOf, resultByStatus } from "./gateway.ts";

const WhatsAppSettings = z.strictObject({
  baseUrl: baseUrl("https://graph.facebook.com").describe("The address of the Graph API."),
  version: z
    .string()
    .regex(/^v\d{1,3}\.\d{1,2}$/)
    .default("v23.0")
    .describe("The version of the Graph API."),
  phoneNumberId: z
    .string()
    .regex(/^\d{5,32}$/)
    .describe("The id of the sender's number, not the number itself."),
  accessToken: secretText(1_000).describe("A permanent access token of a system user."),
  appSecret: secretText().describe("The app secret; it signs delivery reports."),
  verifyToken: secretText(200).describe(
    "A text of your own, given to Meta with the address for delivery reports.",
  ),
});
type WhatsAppSettings = z.infer<typeof WhatsAppSettings>;

const RECIPIENT = new Set(["131026", "131021", "131030", "131050", "130472", "130497"]);
const CREDENTIALS = new Set([
  "0",
  "3",
  "10",
  "33",
  "190",
  "368",
  "130403",
  "131005",
  "131031",
  "131037",
  "131042",
  "131045",
  "133010",
  "132015",
  "132016",
]);
const LATER = new Set([
  "4",
  "80007",
  "130429",
  "131048",
  "131049",
  "131056",
  "131057",
  "133004",
]);

const REFUSALS: Record<string, string> = {
  190: "WhatsApp does not accept the access token any more.",
  131026: "The recipient cannot be reached by WhatsApp.",
  131042: "WhatsApp has no valid way of payment for the account.",
  131047: "More than 24 hours have passed since the recipient wrote: a template is needed.",
  131050: "The recipient has stopped such messages.",
  132000: "The template wants another number of parameters.",
  132001: "WhatsApp has no approved template of that name and language.",
};

function refusalOf(code: string, answer: GatewayAnswer): SendResult {
  if (LATER.has(code)) {
    const afterSeconds = answer.kind === "answered" ? answer.retryAfter : null;
    const text = `WhatsApp takes no more at present (${code}).`;
    return { state: "retry", code, text, afterSeconds };
  }
  const isAccount = CREDENTIALS.has(code) || /^2\d\d$/.test(code);
  const about = RECIPIENT.has(code) ? "recipient" : isAccount ? "credentials" : "message";
  const text = REFUSALS[code] ?? `WhatsApp refused the message (${code}).`;
  return { state: "failed", code, text, about };
}

/** Errors of the API itself: the message may have been sent. */
const UNSURE = new Set(["1", "2", "131000", "131016"]);

function readAnswer(answer: GatewayAnswer): SendResult {
  const { messages, error } = objectOf(jsonOf(answer));
  const given = objectOf(error)["code"];
  if (given !== undefined && answer.kind === "answered" && answer.status < 500) {
    const code = codeOf(given);
    if (UNSURE.has(code))
      return {
        state: "unknown",
        text: `WhatsApp answered with an error of its own (${code}).`,
      };
    if (/^\d{1,6}$/.test(code)) return refusalOf(code, answer);
  }
  const [first] = Array.isArray(messages) ? messages : [];
  const reference = referenceOf(objectOf(first)["id"]);
  return isSuccess(answer) && given === undefined && reference
    ? { state: "accepted", reference }
    : resultByStatus(answer);
}

/** WhatsApp refuses line breaks and runs of spaces in a template's parameters. */
const parameterOf = (text: string) => ({
  type: "text",
  text: text.replaceAll(/\s+/g, " ").trim(),
});

function contentOf({ kind, text, template }: OutgoingMessage) {
  if (!template) return { type: "text", text: { preview_url: false, body: text } };
  const { name, language, parameters } = template;
  const body = { type: "body", parameters: parameters.map(parameterOf) };
  // A template for codes has a button that copies the code, and wants the code there too.
  const button = {
    type: "button",
    sub_type: "url",
    index: "0",
    parameters: parameters.slice(0, 1).map(parameterOf),
  };
  const components = kind === "code" ? [body, button] : parameters.length > 0 ? [body] : [];
  return {
    type: "template",
    template: {
      name,
      language: { code: language },
      ...(components.length > 0 && { components }),
    },
  };
}

export const whatsAppSignature = (appSecret: string, rawBody: Buffer | string) =>
  `sha256=${createHmac("sha256", appSecret).update(rawBody).digest("hex")}`;

const STATES: Record<string, ReportedState["state"]> = {
  sent: "accepted",
  delivered: "delivered",
  read: "read",
  failed: "failed",
};

const listOf = (value: unknown) => (Array.isArray(value) ? value : []).map(objectOf);

function readReports(request: ReportRequest, settings: WhatsAppSettings): ReadReports | null {
  if (request.method === "GET") return answerVerification(request, settings);
  const { headers, rawBody } = request;
  const expected = whatsAppSignature(settings.appSecret, rawBody);
  if (request.method !== "POST" || !isSame(headers["x-hub-signature-256"], expected))
    return null;
  let body: unknown;
  try {
    body = JSON.parse(rawBody.toString("utf8"));
  } catch {
    return { reports: [] };
  }
  const values = listOf(objectOf(body)["entry"])
    .flatMap((entry) => listOf(entry["changes"]))
    .map((change) => objectOf(change["value"]))
    .filter(({ metadata }) => objectOf(metadata)["phone_number_id"] === settings.phoneNumberId);
  const stops = values
    .flatMap((value) => listOf(value["messages"]))
    .flatMap(({ from, text, button }) =>
      stopsIn(from, objectOf(text)["body"] ?? objectOf(button)["text"]),
    );
  return {
    reports: values.flatMap((value) => listOf(value["statuses"])).flatMap(reportOf),
    ...(stops.length > 0 && { stops }),
  };
}

function reportOf(status: Record<string, unknown>): ReportedState[] {
  const reference = referenceOf(status["id"]);
  const state = STATES[String(status["status"])];
  if (!reference || !state) return [];
  const seconds = Number(status["timestamp"]);
  const at =
    Number.isInteger(seconds) && seconds > 0 && seconds < 1e11
      ? new Date(seconds * 1_000)
      : null;
  const [error] = listOf(status["errors"]);
  const code = error ? codeOf(error["code"]) : null;
  return [
    { reference, messageId: referenceOf(status["biz_opaque_callback_data"]), state, code, at },
  ];
}

/** Meta verifies the address once, by GET. */
function answerVerification({ url }: ReportRequest, { verifyToken }: WhatsAppSettings) {
  const asked = new URL(url).searchParams;
  const challenge = asked.get("hub.challenge") ?? "";
  const isMeant =
    asked.get("hub.mode") === "subscribe" && isSame(asked.get("hub.verify_token"), verifyToken);
  if (!isMeant || !/^[\w.-]{1,200}$/.test(challenge)) return null;
  return { reports: [], answer: { status: 200, body: challenge } };
}

/** WhatsApp Cloud API, https://developers.facebook.com/docs/whatsapp/cloud-api. */
export const whatsAppCloud = defineAdapter<WhatsAppSettings>({
  provider: "whatsapp_cloud",
  channel: "whatsapp",
  settings: WhatsAppSettings,
  secrets: ["accessToken", "appSecret", "verifyToken"],
  send: async (message, settings, io) => {
    if (!isE164(message.to)) return wrongNumber("The number has no country code.");
    const { baseUrl, version, phoneNumberId, accessToken } = settings;
    const answer = await askGateway(
      {
        method: "POST",
        url: `${baseUrl}/${version}/${phoneNumberId}/messages`,
        headers: {
          authorization: `Bearer ${accessToken}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({
          messaging_product: "whatsapp",
          recipient_type: "individual",
          to: message.to.slice(1),
          biz_opaque_callback_data: message.id,
          ...contentOf(message),
        }),
      },
      io,
    );
    return readAnswer(answer);
  },
  check: async ({ baseUrl, version, phoneNumberId, accessToken }, io) => {
    const url = `${baseUrl}/${version}/${phoneNumberId}?fields=verified_name,quality_rating`;
    const headers = { authorization: `Bearer ${accessToken}` };
    const answer = await askGateway({ method: "GET", url, headers }, io);
    if (isSuccess(answer) && objectOf(jsonOf(answer))["id"] === phoneNumberId)
      return { ok: true, text: "WhatsApp accepts the access token for the sender's number." };
    const refusal = readAnswer(answer);
    return { ok: false, text: refusal.state === "failed" ? refusal.text : problemOf(answer) };
  },
  readReports,
});
