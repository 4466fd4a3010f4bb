import { createServer } from "node:http";
import { createServer as createSocketServer, type AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSimulators } from "#tools/simulators/start-simulators.ts";
import { ADAPTERS } from "./adapters.ts";
import type { OutgoingMessage, SendResult } from "./channel.ts";

interface Answer {
  status: number;
  body: string;
}

/** Each gateway's own success rule, written again without the adapters' code. */
const RULES: Record<string, (json: unknown, answer: Answer) => boolean> = {
  sparrow: (json, { status }) => is2xx(status) && String(at(json, "response_code")) === "200",
  "aakash v3": (json, { status }) =>
    is2xx(status) && at(json, "error") === false && isFilled(at(json, "data", "valid")),
  "aakash v4": (json, { status }) =>
    is2xx(status) && isFilled(at(json, "responses")) && !isFilled(at(json, "errors")),
  twilio: (json, { status }) =>
    is2xx(status) &&
    /^(SM|MM)[0-9a-f]{32}$/.test(String(at(json, "sid"))) &&
    !["failed", "undelivered", "canceled"].includes(String(at(json, "status"))),
  whatsapp: (json, { status }) =>
    is2xx(status) &&
    at(json, "messages", "0", "id") !== undefined &&
    at(json, "error", "code") === undefined,
  "http_sms json": (json, { status }) =>
    [200, 201, 202].includes(status) && ["queued", "sent"].includes(String(at(json, "status"))),
  "http_sms form": (_json, { status, body }) =>
    [200, 201, 202].includes(status) && body.trimStart().startsWith("OK"),
};
const NAMES = Object.keys(RULES) as (keyof typeof RULES)[];

/** An answer of each gateway that accepts a message. */
const GOOD: Record<string, unknown> = {
  sparrow: { count: 1, response_code: 200, response: "queued" },
  "aakash v3": { error: false, data: { valid: [{ id: 7 }], invalid: [] } },
  "aakash v4": { responses: [{ id: 7 }], errors: [] },
  twilio: { sid: "SM0123456789abcdef0123456789abcdef", status: "queued" },
  whatsapp: { messages: [{ id: "wamid.abc" }] },
  "http_sms json": { status: "queued", result: { id: "7" } },
  "http_sms form": "OK",
};

const goodTextOf = (name: string) => {
  const good = GOOD[name];
  return typeof good === "string" ? good : JSON.stringify(good);
};

const is2xx = (status: number) => status >= 200 && status < 300;
const isFilled = (value: unknown) => Array.isArray(value) && value.length > 0;
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null
        ? (inner as Record<string, unknown>)[name]
        : undefined,
    value,
  );

const MESSAGE: OutgoingMessage = {
  id: "0b7c6f7e-6f8a-4d55-9a1e-2f4f6d1f2c11",
  to: "+9779812345678",
  text: "Asha, your code is 482913.",
  subject: null,
  kind: "code",
  template: { name: "checkout_code", language: "en", parameters: ["482913"] },
  unsubscribeUrl: null,
  reportUrl: null,
  validSeconds: 600,
};

let simulators: Awaited<ReturnType<typeof startSimulators>>;
let current: Answer & { headers: Record<string, string> };
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () =>
    response.writeHead(current.status, current.headers).end(current.body),
  );
});
beforeAll(async () => {
  simulators = await startSimulators();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});
afterAll(async () => {
  await simulators.close();
  await new Promise((done) => server.close(done));
});

function sendTo(name: string, port: number, changed = {}): Promise<SendResult> {
  const { provider, settings } = simulators.gateways[name as keyof typeof simulators.gateways];
  const url = `http://127.0.0.1:${port}`;
  const adapter = ADAPTERS.find((each) => each.provider === provider);
  if (!adapter) throw new Error(`no adapter for ${provider}`);
  const pointed = "url" in settings ? { ...settings, url } : { ...settings, baseUrl: url };
  const io = { signal: new AbortController().signal, allowPrivate: true };
  return adapter.send(MESSAGE, { ...pointed, ...changed }, io);
}

/** Values for JSON with the gateways' field names, each with a right or wrong value or left out. */
const word = fc.constantFrom(
  "200",
  200,
  "queued",
  "sent",
  "failed",
  "E_NUMBER",
  "482913",
  "Asha",
  "9812345678",
  true,
  false,
  null,
  0,
  1002,
  131026,
  130429,
  131000,
  20429,
  21211,
  "SM0123456789abcdef0123456789abcdef",
  "wamid.abc",
);
const value = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const entry = fc.record(
  { id: value, code: value, message: value, text: value, mobile: value },
  { requiredKeys: [] },
);
const list = fc.oneof(fc.array(entry, { maxLength: 2 }), value);
const near = fc.record(
  {
    response_code: value,
    count: value,
    response: value,
    error: fc.oneof(entry, value),
    message: value,
    data: fc.record({ valid: list, invalid: list }, { requiredKeys: [] }),
    responses: list,
    errors: list,
    sid: value,
    status: value,
    error_code: value,
    code: value,
    messages: list,
    result: entry,
  },
  { requiredKeys: [] },
);
const bodyFor = (name: string) =>
  fc.oneof(
    { weight: 4, arbitrary: near.map((json) => JSON.stringify(json)) },
    // A good answer with some of its fields overwritten.
    {
      weight: 4,
      arbitrary: fc.tuple(near, fc.integer({ min: 0, max: 3 })).map(([json, kept]) =>
        JSON.stringify({
          ...(GOOD[name] as object),
          ...Object.fromEntries(Object.entries(json).slice(0, kept)),
        }),
      ),
    },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("", "OK", "ERR 402 9812345678", "<html>OK</html>"),
    },
  );
const status = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(200, 201, 202) },
  { weight: 1, arbitrary: fc.integer({ min: 200, max: 599 }) },
);
const headers = fc.constantFrom<Record<string, string>>(
  {},
  { "retry-after": "3" },
  { "retry-after": "-1" },
  { "retry-after": "Wed, 21 Oct 2099 07:28:00 GMT" },
  { "content-type": "text/html" },
);

it.each(["482913", "Asha", "any-key-c4d5"])(
  "an error code that contains the private text %s is replaced by 'other'",
  async (code) => {
    current = { status: 400, body: JSON.stringify({ error: { code } }), headers: {} };
    const { port } = server.address() as AddressInfo;
    expect(await sendTo("http_sms json", port, { messageCodes: [code] })).toEqual({
      state: "failed",
      code: "other",
      text: expect.not.stringContaining(code),
      about: "message",
    });
  },
);

describe.each(NAMES)("any answer of %s", (name) => {
  it("counts as accepted only by the gateway's own success rule, and a failure contains no private data", async () => {
    const accepted = { times: 0 };
    await fc.assert(
      fc.asyncProperty(status, bodyFor(name), headers, async (code, text, given) => {
        current = { status: code, body: text, headers: given };
        const result = await sendTo(name, (server.address() as AddressInfo).port);
        let json: unknown;
        try {
          json = JSON.parse(text);
        } catch {
          json = undefined;
        }
        if (result.state === "accepted") {
          accepted.times += 1;
          expect(RULES[name]?.(json, { status: code, body: text })).toBe(true);
          return;
        }
        expect(JSON.stringify(result)).not.toMatch(/482913|Asha|12345678|-token-|-key-/);
        if (result.state === "retry" && result.afterSeconds !== null)
          expect(result.afterSeconds).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 200, examples: [[200, goodTextOf(name), {}]] },
    );
    expect(accepted.times).toBeGreaterThan(0);
  }, 60_000);

  it("that is not HTTP gives the message the state 'unknown'", async () => {
    const speaker = createSocketServer((socket) =>
      socket.on("error", () => {}).end("SSH-2.0-OpenSSH_9.9\r\n"),
    );
    await new Promise<void>((done) => speaker.listen(0, "127.0.0.1", done));
    const result = await sendTo(name, (speaker.address() as AddressInfo).port);
    expect(result.state).toBe("unknown");
    speaker.close();
  });
});
