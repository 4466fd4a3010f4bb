import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSimulators } from "#tools/simulators/start-simulators.ts";
import { ADAPTERS } from "./adapters.ts";
import type { ReadReports, ReportRequest } from "./channel.ts";
import { twilioSignature } from "./twilio.ts";
import { whatsAppSignature } from "./whatsapp.ts";

describe("the signature of the published example", () => {
  it("of Twilio is computed over the URL and the sorted form fields", () => {
    const fields: [string, string][] = [
      ["CallSid", "CA1234567890ABCDE"],
      ["Caller", "+14158675309"],
      ["Digits", "1234"],
      ["To", "+18005551212"],
      ["From", "+14158675309"],
    ];
    const url = "https://mycompany.com/myapp.php?foo=1&bar=2";
    expect(twilioSignature("12345", url, fields)).toBe("RSOYDt4T1cUTdK1PDd93/VVr8B8=");
  });

  it("of WhatsApp is computed over the raw body", () => {
    expect(whatsAppSignature("app-secret", `{"id":"evt_1","object":"event"}`)).toBe(
      "sha256=981f08eb396949c9a925e8550d50a2c4154fbfe6dbc519a495773dd241caf5d0",
    );
  });
});

const ID = "0b7c6f7e-6f8a-4d55-9a1e-2f4f6d1f2c11";
let simulators: Awaited<ReturnType<typeof startSimulators>>;
let received: (ReadReports | null)[];
let requests: ReportRequest[];
let reportUrl: string;
/** Reads reports as the service does: with its public URL instead of the one that was called. */
const receiver = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => {
    const { method = "", headers, url = "" } = incoming;
    const request = {
      method,
      headers,
      url: new URL(url, reportUrl).href,
      rawBody: Buffer.concat(chunks),
    };
    requests.push(request);
    const read = readWith(current, request);
    received.push(read);
    response.writeHead(read ? (read.answer?.status ?? 204) : 403).end(read?.answer?.body);
  });
});
type Reporting = "twilio" | "whatsapp" | "http_sms json";
let current: Reporting;

const adapterOf = (provider: string) => ADAPTERS.find((each) => each.provider === provider);

function readWith(name: Reporting, request: ReportRequest, changed = {}): ReadReports | null {
  const { provider, settings } = simulators.gateways[name];
  return adapterOf(provider)?.readReports?.(request, { ...settings, ...changed }) ?? null;
}

beforeEach(async () => {
  [received, requests] = [[], []];
  simulators = await startSimulators();
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  reportUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/message-reports/k1`;
  simulators.setWhatsAppWebhook(reportUrl);
});
afterEach(async () => {
  await simulators.close();
  receiver.closeAllConnections();
  await new Promise((done) => receiver.close(done));
});

async function sendBy(name: Reporting) {
  current = name;
  const { provider, settings, simulator } = simulators.gateways[name];
  const template = { name: "payment_reminder", language: "en", parameters: ["Asha", "7"] };
  const result = await adapterOf(provider)?.send(
    {
      id: ID,
      to: "+9779812345678",
      text: "Hello",
      subject: null,
      kind: "reminder",
      template: name === "whatsapp" ? template : null,
      unsubscribeUrl: null,
      reportUrl,
      validSeconds: null,
    },
    settings,
    { signal: new AbortController().signal, allowPrivate: true },
  );
  const [taken] = simulator.taken;
  if (result?.state !== "accepted" || !taken) throw new Error(JSON.stringify(result));
  return { reference: result.reference, taken, simulator };
}

const REPORTING = ["twilio", "whatsapp", "http_sms json"] as const;
const DELIVERED = { state: "delivered", messageId: ID, code: null };

describe.each(REPORTING)("reports of %s", (name) => {
  it("are read if they have a valid signature or token", async () => {
    const { reference, taken, simulator } = await sendBy(name);
    await simulator.report(taken, "delivered");
    expect(received).toMatchObject([{ reports: [{ ...DELIVERED, reference }] }]);
  });

  it("that arrive twice are read with the same result", async () => {
    const { taken, simulator } = await sendBy(name);
    expect(await simulator.report(taken, "delivered", 2)).toEqual([204, 204]);
    expect(received[0]).toEqual(received[1]);
  });

  it("that arrive before the gateway's answer contain the service's message id", async () => {
    simulators.gateways[name].simulator.reportEarly = "delivered";
    await sendBy(name);
    expect(received).toMatchObject([{ reports: [DELIVERED] }]);
  });

  it("are refused if they are forged, changed, or signed with another secret", async () => {
    const { taken, simulator } = await sendBy(name);
    expect(await simulator.forgeReport(taken, "delivered")).toBe(403);
    await simulator.report(taken, "delivered");
    const [, request] = requests as [ReportRequest, ReportRequest];
    const other = { authToken: "other", appSecret: "other", reportSecret: "other" };
    const names = Object.keys(other).filter(
      (field) => field in simulators.gateways[name].settings,
    ) as (keyof typeof other)[];
    const changed = Object.fromEntries(names.map((field) => [field, other[field]]));
    expect(readWith(name, request, changed)).toBeNull();
    if (name === "http_sms json") return;
    const altered = Buffer.from(request.rawBody.toString().replace("delivered", "failed"));
    expect(readWith(name, { ...request, rawBody: altered })).toBeNull();
    expect(readWith(name, { ...request, headers: {} })).toBeNull();
  });

  it("with an unknown state are ignored", async () => {
    const { taken, simulator } = await sendBy(name);
    await simulator.report(taken, "teleported");
    expect(received).toEqual([{ reports: [] }]);
  });
});

describe("a recipient's reply", () => {
  const signed = (name: "twilio" | "whatsapp", from: string, text: string): ReportRequest => {
    current = name;
    const url = "https://pay.example/message-reports/k1";
    const { twilio, whatsapp } = simulators.gateways;
    const fields = new URLSearchParams({
      AccountSid: twilio.settings.accountSid,
      From: `+${from}`,
      Body: text,
      SmsStatus: "received",
    });
    const { phoneNumberId, appSecret } = whatsapp.settings;
    const value = {
      metadata: { phone_number_id: phoneNumberId },
      messages: [{ from, type: "text", text: { body: text } }],
    };
    const rawBody = Buffer.from(
      name === "twilio"
        ? fields.toString()
        : JSON.stringify({ entry: [{ changes: [{ value }] }] }),
    );
    const headers = {
      "x-twilio-signature": twilioSignature(twilio.settings.authToken, url, fields),
      "x-hub-signature-256": whatsAppSignature(appSecret, rawBody),
    };
    return { method: "POST", url, headers, rawBody };
  };

  it.each(["twilio", "whatsapp"] as const)(
    "by %s opts out only if it is a single word such as STOP or Unsubscribe",
    (name) => {
      for (const word of ["STOP", " stop. ", "Unsubscribe", "रोक्नुहोस्"])
        expect(readWith(name, signed(name, "9779812345678", word))).toEqual({
          reports: [],
          stops: ["+9779812345678"],
        });
      for (const text of ["Please do not stop the milk", "", "YES"])
        expect(readWith(name, signed(name, "9779812345678", text))).toEqual({ reports: [] });
      const forged = { ...signed(name, "9779812345678", "STOP"), headers: {} };
      expect(readWith(name, forged)).toBeNull();
    },
  );
});

describe("any request", () => {
  const text = fc.string({ unit: "binary", maxLength: 60 });
  const body = fc.oneof(text, fc.json(), fc.constant("MessageSid=SM1&MessageStatus=delivered"));
  const signature = fc.oneof(text, fc.constantFrom("", "sha256=", "sha256=00"));

  it.each(REPORTING)("without a valid signature or token of %s is refused", (name) => {
    fc.assert(
      fc.property(
        fc.constantFrom("GET", "POST", "PUT"),
        body,
        signature,
        (method, sent, given) => {
          const headers = {
            "content-type": "application/json",
            "x-twilio-signature": given,
            "x-hub-signature-256": given,
          };
          const url = `https://pay.example/message-reports/k1?token=${encodeURIComponent(given)}`;
          const request = { method, headers, url, rawBody: Buffer.from(sent) };
          expect(readWith(name, request)).toBeNull();
          expect(readWith(name, { ...request, url: sent })).toBeNull();
        },
      ),
    );
  });

  it.each(REPORTING)(
    "with a valid signature or token of %s is accepted with any body",
    (name) => {
      const { settings } = simulators.gateways[name];
      const secret = "authToken" in settings ? settings.authToken : "";
      const key = "appSecret" in settings ? settings.appSecret : "";
      const token = "reportSecret" in settings ? String(settings.reportSecret) : "";
      fc.assert(
        fc.property(body, (sent) => {
          const url = `https://pay.example/message-reports/k1?token=${token}`;
          const rawBody = Buffer.from(sent);
          const fields = new URLSearchParams(rawBody.toString("utf8"));
          const headers = {
            "x-twilio-signature": twilioSignature(secret, url, fields),
            "x-hub-signature-256": whatsAppSignature(key, rawBody),
          };
          const read = readWith(name, { method: "POST", url, headers, rawBody });
          expect(read?.reports).toBeInstanceOf(Array);
        }),
      );
    },
  );
});

it("WhatsApp's reports about a read and a failed message give the states 'read' and 'failed'", async () => {
  const { taken, simulator } = await sendBy("whatsapp");
  await simulator.report(taken, "read");
  await simulator.report(taken, "failed");
  expect(received).toMatchObject([
    { reports: [{ state: "read", at: new Date("2026-09-21T14:13:20Z") }] },
    { reports: [{ state: "failed" }] },
  ]);
});

it.each([
  ["twilio", { accountSid: "AC00000000000000000000000000000000" }],
  ["whatsapp", { phoneNumberId: "106540352242923" }],
] as const)("reports of %s for another account are ignored", async (name, changed) => {
  const { taken, simulator } = await sendBy(name);
  await simulator.report(taken, "delivered");
  const [request] = requests as [ReportRequest];
  expect(readWith(name, request, changed)).toEqual({ reports: [] });
});

it("a report of Twilio is accepted only if its signature fits the public URL", async () => {
  const { taken, simulator } = await sendBy("twilio");
  await simulator.report(taken, "delivered");
  const [request] = requests as [ReportRequest];
  const inside = request.url.replace(/^http:\/\/[^/]+/, "http://service.internal:8080");
  expect(readWith("twilio", { ...request, url: inside })).toBeNull();
});

describe("WhatsApp's verification of the webhook URL", () => {
  const check = (query: string): ReportRequest => ({
    method: "GET",
    url: `https://pay.example/message-reports/k1?${query}`,
    headers: {},
    rawBody: Buffer.alloc(0),
  });

  it("is answered with the challenge if the verify token is correct", () => {
    const asked =
      "hub.mode=subscribe&hub.verify_token=verify-token-8e19&hub.challenge=1158201444";
    expect(readWith("whatsapp", check(asked))).toEqual({
      reports: [],
      answer: { status: 200, body: "1158201444" },
    });
  });

  it.each([
    "hub.mode=subscribe&hub.verify_token=other&hub.challenge=1",
    "hub.mode=subscribe&hub.challenge=1",
    "hub.mode=other&hub.verify_token=verify-token-8e19&hub.challenge=1",
    "hub.mode=subscribe&hub.verify_token=verify-token-8e19&hub.challenge=%3Cscript%3E",
  ])("is refused with the query %s", (asked) => {
    expect(readWith("whatsapp", check(asked))).toBeNull();
  });
});

it("a configurable HTTP gateway can prove its reports with an HMAC signature instead of a token", async () => {
  const { taken, simulator } = await sendBy("http_sms json");
  await simulator.report(taken, "delivered");
  const [request] = requests as [ReportRequest];
  const signed = { reportProof: "hmac_sha256", reportSignatureHeader: "X-Signature" };
  expect(readWith("http_sms json", request, signed)).toBeNull();
  const { settings } = simulators.gateways["http_sms json"];
  const signature = whatsAppSignature(
    String((settings as Record<string, unknown>)["reportSecret"]),
    request.rawBody,
  );
  const headers = { ...request.headers, "x-signature": signature };
  expect(readWith("http_sms json", { ...request, headers }, signed)?.reports).toHaveLength(1);
  const empty = whatsAppSignature("", request.rawBody);
  const unproven = { ...request, headers: { ...headers, "x-signature": empty } };
  const without = { ...signed, reportSecret: undefined };
  expect(readWith("http_sms json", unproven, without)).toBeNull();
});
