import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startSimulators } from "#tools/simulators/start-simulators.ts";
import { GATEWAY_FAULTS, type GatewayFault } from "#tools/simulators/gateway-simulator.ts";
import { ADAPTERS } from "./adapters.ts";
import type { ChannelAdapter, OutgoingMessage, SendResult } from "./channel.ts";

let simulators: Awaited<ReturnType<typeof startSimulators>>;
beforeAll(async () => {
  simulators = await startSimulators();
});
afterAll(() => simulators.close());
beforeEach(() => simulators.clear());

const NAMES = [
  "sparrow",
  "aakash v3",
  "aakash v4",
  "twilio",
  "whatsapp",
  "http_sms json",
  "http_sms form",
  "http_sms query",
] as const;
type Name = (typeof NAMES)[number];

const TEXT = `Asha, code 482913 – नमस्ते & 100% = "a+b"?`;
const MESSAGE: OutgoingMessage = {
  id: "0b7c6f7e-6f8a-4d55-9a1e-2f4f6d1f2c11",
  to: "+9779812345678",
  text: TEXT,
  subject: null,
  kind: "reminder",
  template: null,
  unsubscribeUrl: null,
  reportUrl: null,
  validSeconds: 600,
};
const REMINDER = { name: "payment_reminder", language: "ne", parameters: ["Asha", "482913"] };

const messageFor = (name: Name): OutgoingMessage => ({
  ...MESSAGE,
  template: name === "whatsapp" ? REMINDER : null,
});
const numberAt: Record<Name, string> = {
  sparrow: "9812345678",
  "aakash v3": "9812345678",
  "aakash v4": "9812345678",
  twilio: "+9779812345678",
  whatsapp: "9779812345678",
  "http_sms json": "9779812345678",
  "http_sms form": "9812345678",
  "http_sms query": "+9779812345678",
};

const adapterOf = (provider: string): ChannelAdapter => {
  const found = ADAPTERS.find((each) => each.provider === provider);
  if (!found) throw new Error(`no adapter for ${provider}`);
  return found;
};

const signalOf = () => new AbortController().signal;
const io = () => ({ signal: signalOf(), allowPrivate: true });

const send = (
  name: Name,
  message = messageFor(name),
  settings: Record<string, unknown> = {},
): Promise<SendResult> => {
  const { provider, settings: own } = simulators.gateways[name];
  return adapterOf(provider).send(message, { ...own, ...settings }, io());
};

/** Private texts that no result of an adapter may contain. */
const PRIVATE = [
  "12345678",
  "482913",
  "Asha",
  "नमस्ते",
  "sparrow-token",
  "aakash-token",
  "twilio-token",
  "whatsapp-token",
  "whatsapp-secret",
  "any-key",
  "report-secret",
];
const expectClean = (said: unknown) => {
  const text = JSON.stringify(said);
  for (const part of PRIVATE) expect(text).not.toContain(part);
};

describe.each(NAMES)("%s", (name) => {
  const taken = () => simulators.gateways[name].simulator.taken;

  it("sends a message once, with its text unchanged, to the phone number in the gateway's format", async () => {
    const result = await send(name);
    expect(result.state).toBe("accepted");
    expect(simulators.gateways[name].simulator.requests).toHaveLength(1);
    expect(taken()).toMatchObject([
      { to: numberAt[name], text: name === "whatsapp" ? "Asha|482913" : TEXT },
    ]);
    const [message] = taken();
    const hasReference = !["sparrow", "http_sms form", "http_sms query"].includes(name);
    expect(result).toEqual({
      state: "accepted",
      reference: hasReference ? message?.reference : null,
    });
    expectClean(result);
  });

  const TEXT_ONLY = ["http_sms form", "http_sms query"];
  const EXPECTED: Record<GatewayFault, Partial<SendResult> & { about?: string }> = {
    too_many: { state: "retry", afterSeconds: 7 },
    busy: { state: "retry", afterSeconds: 30 },
    server_error: { state: "unknown" },
    refused: { state: "failed", about: "credentials" },
    error_in_200: { state: TEXT_ONLY.includes(name) ? "unknown" : "failed" },
    redirect: { state: "failed", about: "credentials" },
    hang_before: { state: "unknown" },
    close_before: { state: "unknown" },
    hang_after: { state: "unknown" },
    close_after: { state: "unknown" },
    close_mid_answer: { state: "unknown" },
    bad_gateway: { state: "unknown" },
    gave_up: { state: "unknown" },
    html: { state: "unknown" },
    empty: { state: "unknown" },
    huge: { state: "unknown" },
    slow: { state: "unknown" },
  };

  const FAULTS = Object.keys(GATEWAY_FAULTS) as GatewayFault[];
  it.each(FAULTS)("tells after %s whether the message may be sent again", async (fault) => {
    const { simulator, provider, settings } = simulators.gateways[name];
    simulator.next(fault);
    const stop = new AbortController();
    if (/hang|slow/.test(fault)) void simulator.arrival().then(() => stop.abort());
    const result = await adapterOf(provider).send(messageFor(name), settings, {
      signal: stop.signal,
      allowPrivate: true,
    });
    expect(result).toMatchObject(EXPECTED[fault]);
    // Only a message that was surely not sent may be sent again, or be called a failure.
    if (result.state !== "unknown") expect(taken()).toEqual([]);
    expect(taken()).toHaveLength(GATEWAY_FAULTS[fault].takes ? 1 : 0);
    expectClean(result);
  });

  it("retries a message later if nothing listens at the gateway's address", async () => {
    const { settings } = simulators.gateways[name];
    const nowhere = "url" in settings ? { url: "http://127.0.0.1:1/" } : {};
    const result = await send(name, messageFor(name), {
      ...("baseUrl" in settings && { baseUrl: "http://127.0.0.1:1" }),
      ...nowhere,
    });
    expect(result).toMatchObject({ state: "retry", code: "not_reached" });
    expectClean(result);
  });

  it("sends nothing after the program was told to stop", async () => {
    const { provider, settings, simulator } = simulators.gateways[name];
    const result = await adapterOf(provider).send(messageFor(name), settings, {
      signal: AbortSignal.abort(),
      allowPrivate: true,
    });
    expect(result.state).toBe("retry");
    expect(simulator.requests).toEqual([]);
  });

  it("does not connect to a private IP address, to a host name that leads to one, or without TLS", async () => {
    const { provider, settings, simulator } = simulators.gateways[name];
    const live = { signal: signalOf(), allowPrivate: false };
    const point = (url: string) => ({ ...settings, baseUrl: url, url });
    const at = (url: string) => {
      const pointed: Record<string, unknown> = point(url);
      delete pointed["url" in settings ? "baseUrl" : "url"];
      return adapterOf(provider).send(messageFor(name), pointed, {
        ...live,
        resolve: async () => [{ address: "127.0.0.1", family: 4 }],
      });
    };
    for (const url of [
      simulator.url,
      "https://127.0.0.1",
      "https://gateway.example",
      "https://[::ffff:169.254.169.254]",
    ])
      expect(await at(url)).toMatchObject({ state: "failed", about: "credentials" });
    expect(simulator.requests).toEqual([]);
  });

  it("reports missing settings as an error of the credentials and sends nothing", async () => {
    const { provider, simulator } = simulators.gateways[name];
    expect(await adapterOf(provider).send(messageFor(name), {}, io())).toMatchObject({
      state: "failed",
      about: "credentials",
    });
    expect(simulator.requests).toEqual([]);
  });

  it("checks the settings without sending a message", async () => {
    const { provider, settings, simulator } = simulators.gateways[name];
    const adapter = adapterOf(provider);
    expect(await adapter.check(settings, io())).toMatchObject({ ok: true });
    for (const fault of ["html", "too_many", "huge", "close_after", "refused"] as const) {
      simulator.next(fault);
      const checked = await adapter.check(settings, io());
      expect(checked.ok).toBe(TEXT_ONLY.includes(name));
      expectClean(checked);
    }
    expect(taken()).toEqual([]);
  });
});

describe("a recipient that a gateway cannot reach", () => {
  it.each([
    ["sparrow", "+14155550100"],
    ["sparrow", "9812345678"],
    ["aakash v3", "+14155550100"],
    ["aakash v4", "+97714412345"],
    ["twilio", "9812345678"],
    ["whatsapp", "98-123"],
    ["http_sms form", "+14155550100"],
    ["http_sms json", "desk@phewa.example"],
  ] as const)("makes %s refuse %s without a request to the gateway", async (name, to) => {
    expect(await send(name, { ...messageFor(name), to })).toMatchObject({
      state: "failed",
      about: "recipient",
    });
    expect(simulators.gateways[name].simulator.requests).toEqual([]);
  });

  it.each([
    ["+15005550001", "21211", "recipient"],
    ["+15005550004", "21610", "recipient"],
    ["+15005550009", "21614", "recipient"],
  ])("makes twilio refuse %s with the code %s", async (to, code, about) => {
    const result = await send("twilio", { ...MESSAGE, to });
    expect(result).toMatchObject({ state: "failed", code, about });
    expectClean(result);
    expect(JSON.stringify(result)).not.toContain("15005550");
  });

  it("makes aakash refuse an invalid phone number", async () => {
    const unknown = { ...MESSAGE, to: "+9779912345678" };
    const v3 = await send("aakash v3", unknown);
    expect(v3).toMatchObject({ state: "failed", about: "recipient" });
    const v4 = await send("aakash v4", unknown);
    expect(v4).toMatchObject({ state: "failed", text: expect.stringContaining("not valid") });
    expectClean([v3, v4]);
  });
});

describe("wrong credentials", () => {
  it.each([
    ["sparrow", { token: "another-token" }],
    ["sparrow", { from: "OTHER" }],
    ["aakash v3", { token: "another-token" }],
    ["aakash v4", { token: "another-token" }],
    ["twilio", { authToken: "another-token" }],
    ["twilio", { accountSid: "AC00000000000000000000000000000000" }],
    ["whatsapp", { accessToken: "another-token" }],
    ["http_sms json", { secret: "another-token" }],
    ["http_sms form", { secret: "another-token" }],
    ["http_sms query", { secret: "another-token" }],
  ] as const)("make %s refuse the message with the settings %o", async (name, wrong) => {
    const result = await send(name, messageFor(name), wrong);
    expect(result).toMatchObject({ state: "failed", about: "credentials" });
    expect(JSON.stringify(result)).not.toContain("another-token");
    expect(simulators.gateways[name].simulator.taken).toEqual([]);
  });
});

describe("the whatsapp adapter", () => {
  it("sends a code with its template, which also needs the code in its button", async () => {
    const template = { name: "checkout_code", language: "en", parameters: ["482913"] };
    const result = await send("whatsapp", { ...MESSAGE, kind: "code", template });
    expect(result.state).toBe("accepted");
  });

  it("joins the lines of a template parameter, because WhatsApp refuses line breaks", async () => {
    const template = { ...REMINDER, parameters: ["Asha\nRai", "a      b"] };
    expect((await send("whatsapp", { ...MESSAGE, template })).state).toBe("accepted");
    expect(simulators.gateways.whatsapp.simulator.taken[0]?.text).toBe("Asha Rai|a b");
  });

  it.each([
    [null, "131047"],
    [{ ...REMINDER, parameters: ["Asha"] }, "132000"],
    [{ ...REMINDER, name: "unknown" }, "132001"],
  ])("reports that %o was refused with the code %s", async (template, code) => {
    const result = await send("whatsapp", { ...MESSAGE, template });
    expect(result).toMatchObject({ state: "failed", code, about: "message" });
  });

  it("can send free text to a buyer who has written within the last 24 hours", async () => {
    const result = await send("whatsapp", { ...MESSAGE, to: "+9779800000024" });
    expect(result.state).toBe("accepted");
  });
});

describe("a configurable HTTP gateway", () => {
  it("receives special characters of a text correctly in JSON, a form and a query", async () => {
    const text = `&to=+9770000000000#"}],"x":[{"\r\nto: 1`;
    for (const name of ["http_sms json", "http_sms form", "http_sms query"] as const) {
      expect((await send(name, { ...MESSAGE, text })).state).toBe("accepted");
      expect(simulators.gateways[name].simulator.taken.at(-1)).toMatchObject({
        to: numberAt[name],
        text,
      });
    }
  });

  it.each(["hang_before", "slow"] as const)(
    "is given up after the configured timeout (%s)",
    async (fault) => {
      simulators.gateways["http_sms json"].simulator.next(fault);
      const result = await send("http_sms json", MESSAGE, { timeoutSeconds: 1 });
      expect(result.state).toBe("unknown");
    },
  );

  it("accepts a message only by the configured success rule", async () => {
    const other = { successValues: ["sent"] };
    expect(await send("http_sms json", MESSAGE, other)).toMatchObject({ state: "unknown" });
    const status = { successStatus: [200] };
    expect(await send("http_sms json", MESSAGE, status)).toMatchObject({ state: "unknown" });
  });
});
