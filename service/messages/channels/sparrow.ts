import * as z from "zod";
import { baseUrl, objectOf, secretText } from "../../outgoing/settings.ts";
import { codeOf, defineAdapter, nepalMobile, wrongNumber } from "./adapter.ts";
import type { SendResult } from "./channel.ts";
import {
  askGateway,
  formOf,
  isSuccess,
  jsonOf,
  type GatewayAnswer,
} from "../../outgoing/gateway.ts";
import { problemOf, resultByStatus } from "./gateway.ts";

const SparrowSettings = z.strictObject({
  baseUrl: baseUrl("https://api.sparrowsms.com").describe("The address of Sparrow's API."),
  token: secretText().describe("The token of the API, from Sparrow's panel."),
  from: z.string().min(1).max(40).describe("The identity (sender) that Sparrow gave you."),
});
type SparrowSettings = z.infer<typeof SparrowSettings>;

type Refusal = Extract<SendResult, { state: "failed" }>;

/** Documented response codes; all others between 1000 and 1999 are about the message. */
const REFUSALS: Record<string, Pick<Refusal, "text" | "about">> = {
  1000: { text: "Sparrow says that a field of the request is missing.", about: "message" },
  1001: {
    text: "Sparrow does not accept the address of this server: ask Sparrow to allow it.",
    about: "credentials",
  },
  1002: { text: "Sparrow does not know the token.", about: "credentials" },
  1003: { text: "Sparrow says that the account is not active.", about: "credentials" },
  1004: { text: "Sparrow says that the account is not active.", about: "credentials" },
  1005: { text: "Sparrow says that the account has expired.", about: "credentials" },
  1006: { text: "Sparrow says that the account has expired.", about: "credentials" },
  1007: { text: "Sparrow cannot reach the recipient's number.", about: "recipient" },
  1008: { text: "Sparrow does not accept the sender.", about: "credentials" },
  1010: { text: "Sparrow says that the message is empty.", about: "message" },
  1011: { text: "Sparrow finds no number that it can reach.", about: "recipient" },
  1012: { text: "Sparrow says that no credit is left.", about: "credentials" },
  1013: { text: "Sparrow says that too little credit is left.", about: "credentials" },
};

function readAnswer(answer: GatewayAnswer): SendResult {
  const { response_code: given, count } = objectOf(jsonOf(answer));
  const code = codeOf(given);
  if (isSuccess(answer) && code === "200") {
    if (count !== undefined && !(Number(count) > 0))
      return {
        state: "failed",
        code: "count_0",
        about: "recipient",
        text: "Sparrow did not send the message.",
      };
    return { state: "accepted", reference: null };
  }
  if (!/^1\d{3}$/.test(code)) return resultByStatus(answer);
  const known = REFUSALS[code] ?? {
    text: `Sparrow refused the message (${code}).`,
    about: "message",
  };
  return { state: "failed", code, ...known };
}

/** Sparrow SMS, https://docs.sparrowsms.com: Nepal only, without message ids and delivery reports. */
export const sparrow = defineAdapter<SparrowSettings>({
  provider: "sparrow",
  channel: "sms",
  settings: SparrowSettings,
  secrets: ["token"],
  send: async ({ to, text }, settings, io) => {
    const number = nepalMobile(to);
    if (!number) return wrongNumber("Sparrow reaches mobile numbers of Nepal only.");
    // By POST, because logs on the way contain a GET's URL with its token.
    const form = formOf({ token: settings.token, from: settings.from, to: number, text });
    const url = `${settings.baseUrl}/v2/sms/`;
    return readAnswer(await askGateway({ method: "POST", url, ...form }, io));
  },
  check: async ({ baseUrl, token }, io) => {
    const url = `${baseUrl}/v2/credit/?${new URLSearchParams({ token }).toString()}`;
    const answer = await askGateway({ method: "GET", url }, io);
    const {
      credits_available: credit,
      credit_balance,
      response_code,
    } = objectOf(jsonOf(answer));
    const left = codeOf(credit ?? credit_balance);
    if (isSuccess(answer) && left !== "other" && codeOf(response_code) === "200")
      return { ok: true, text: "Sparrow accepts the token.", credit: left };
    const refusal = readAnswer(answer);
    return { ok: false, text: refusal.state === "failed" ? refusal.text : problemOf(answer) };
  },
});
