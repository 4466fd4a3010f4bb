import * as z from "zod";
import { baseUrl, objectOf, secretText } from "../../outgoing/settings.ts";
import {
  codeOf,
  defineAdapter,
  nepalMobile,
  referenceOf,
  safeWords,
  wrongNumber,
} from "./adapter.ts";
import type { OutgoingMessage, SendResult } from "./channel.ts";
import {
  askGateway,
  formOf,
  isSuccess,
  jsonOf,
  type GatewayAnswer,
} from "../../outgoing/gateway.ts";
import { problemOf, resultByStatus } from "./gateway.ts";

const ABOUT_ACCOUNT = [
  "token",
  "unauthorized",
  "unauthenticated",
  "balance",
  "credit",
  "inactive",
  "expired",
  "suspended",
  "ip",
];

// Aakash publishes no description of its API: where its known clients differ, a setting decides.
const AakashSettings = z.strictObject({
  baseUrl: baseUrl("https://sms.aakashsms.com").describe("The address of Aakash's API."),
  version: z
    .enum(["v3", "v4"])
    .default("v3")
    .describe("The version of the API that your account uses: v3 (form) or v4 (JSON)."),
  token: secretText().describe("The auth token, from Aakash's panel."),
  creditPath: z
    .string()
    .regex(/^\/[\w/.-]*$/)
    .max(100)
    .default("/sms/v4/available-credit")
    .describe("The path that returns the remaining credit; used only by “Check”."),
  accountWords: z
    .array(z.string().min(2).max(40))
    .max(40)
    .default(ABOUT_ACCOUNT)
    .describe("Words by which an error is about your account, not about the message."),
});
type AakashSettings = z.infer<typeof AakashSettings>;

function refusalOf(
  said: unknown,
  message: OutgoingMessage,
  settings: AakashSettings,
): SendResult {
  const words = typeof said === "string" ? said.toLowerCase().split(/[^a-z]+/) : [];
  const isAccount = settings.accountWords.some((word) => words.includes(word.toLowerCase()));
  const safe = safeWords(said, message);
  return {
    state: "failed",
    code: isAccount ? "account" : "refused",
    text: safe ? `Aakash refused the message: ${safe}` : "Aakash refused the message.",
    about: isAccount ? "credentials" : "message",
  };
}

const invalidRecipient = (): SendResult =>
  wrongNumber("Aakash says that the recipient's number is not valid.");

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function readV3(
  answer: GatewayAnswer,
  message: OutgoingMessage,
  settings: AakashSettings,
): SendResult {
  const { error, message: said, data } = objectOf(jsonOf(answer));
  const [valid] = listOf(objectOf(data)["valid"]);
  if (error === true) return refusalOf(said, message, settings);
  if (error !== false || !isSuccess(answer)) return resultByStatus(answer);
  if (valid !== undefined)
    return { state: "accepted", reference: referenceOf(objectOf(valid)["id"]) };
  return listOf(objectOf(data)["invalid"]).length > 0
    ? invalidRecipient()
    : resultByStatus(answer);
}

function readV4(
  answer: GatewayAnswer,
  message: OutgoingMessage,
  settings: AakashSettings,
): SendResult {
  const { responses, errors, message: said } = objectOf(jsonOf(answer));
  const [taken] = listOf(responses);
  const [error] = listOf(errors);
  if (isSuccess(answer) && taken !== undefined && error === undefined)
    return { state: "accepted", reference: referenceOf(objectOf(taken)["id"]) };
  if (taken !== undefined) return resultByStatus(answer);
  const reason = typeof error === "object" ? objectOf(error)["message"] : error;
  if (error !== undefined) return refusalOf(reason, message, settings);
  return !isSuccess(answer) &&
    typeof said === "string" &&
    resultByStatus(answer).state === "failed"
    ? refusalOf(said, message, settings)
    : resultByStatus(answer);
}

/** Aakash SMS, versions 3 and 4: Nepal only. */
export const aakash = defineAdapter<AakashSettings>({
  provider: "aakash",
  channel: "sms",
  settings: AakashSettings,
  secrets: ["token"],
  send: async (message, settings, io) => {
    const number = nepalMobile(message.to);
    if (!number) return wrongNumber("Aakash reaches mobile numbers of Nepal only.");
    const { baseUrl, token } = settings;
    if (settings.version === "v3") {
      const form = formOf({ auth_token: token, to: number, text: message.text });
      const url = `${baseUrl}/sms/v3/send`;
      return readV3(await askGateway({ method: "POST", url, ...form }, io), message, settings);
    }
    const answer = await askGateway(
      {
        method: "POST",
        url: `${baseUrl}/sms/v4/send-user`,
        headers: { "auth-token": token, "content-type": "application/json" },
        body: JSON.stringify({ to: [number], text: [message.text] }),
      },
      io,
    );
    return readV4(answer, message, settings);
  },
  check: async ({ baseUrl, creditPath, token }, io) => {
    const url = `${baseUrl}${creditPath}`;
    const answer = await askGateway(
      { method: "GET", url, headers: { "auth-token": token } },
      io,
    );
    const { available_credit, credit, data } = objectOf(jsonOf(answer));
    const left = codeOf(available_credit ?? credit ?? objectOf(data)["available_credit"]);
    return isSuccess(answer) && left !== "other"
      ? { ok: true, text: "Aakash accepts the token.", credit: left }
      : { ok: false, text: problemOf(answer) };
  },
});
