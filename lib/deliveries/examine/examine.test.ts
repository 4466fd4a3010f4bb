import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { signDelivery } from "#lib/signature.ts";
import {
  examineDelivery,
  type ExaminedDelivery,
  type ExamineVerdict,
  type FindingName,
} from "./examine.ts";
import { type Header, readRequest } from "./request.ts";

const NOW = Date.parse("2026-11-20T04:15:00.400Z");
const TIME = String(Math.floor(NOW / 1_000));
const secretOf = (seed: string) =>
  `whsec_${createHash("sha256").update(seed).digest("base64")}`;
const SECRET = secretOf("own");
const OTHER = secretOf("other");
const KEY = Buffer.from(SECRET.slice(6), "base64");
const ID = "3f1b3b57-7a0c-4a52-9a2f-0d1c5a3f9d11";
/** A body in the format of the embedded billing service. */
const BODY =
  `{"id" : "${ID}", "event" : "checkout.succeeded", "type" : "checkout.succeeded", ` +
  `"timestamp" : "2026-11-20T04:15:00.000Z", "reason" : "सीता/payment", ` +
  `"data" : {"amount" : "100.00", "pbp_id" : 7}}`;
const SIGNED = `${ID}.${TIME}.${BODY}`;
const made = (text: string, key: Buffer | string = KEY, algorithm = "sha256") =>
  createHmac(algorithm, key).update(text);
const compact = (text: string) => JSON.stringify(JSON.parse(text));

interface Changes {
  id?: string | null;
  timestamp?: string | null;
  signature?: string | null;
  body?: string;
  more?: Header[];
  secrets?: string[];
  received_at?: number | null;
  sent?: ExaminedDelivery["sent"];
  now?: number;
}

function caseOf(changes: Changes = {}): ExaminedDelivery {
  const signature = `v1,${made(SIGNED).digest("base64")}`;
  const header = (name: string, value: string | null): Header[] =>
    value === null ? [] : [{ name, value }];
  const value = <T>(given: T | undefined, usual: T) => (given === undefined ? usual : given);
  return {
    request: {
      url: null,
      headers: [
        ...header("webhook-id", value(changes.id, ID)),
        ...header("webhook-timestamp", value(changes.timestamp, TIME)),
        ...header("webhook-signature", value(changes.signature, signature)),
        ...(changes.more ?? []),
      ],
      body: changes.body ?? BODY,
    },
    secrets: changes.secrets ?? [SECRET],
    now: changes.now ?? NOW,
    received_at: changes.received_at ?? null,
    sent: changes.sent ?? null,
  };
}

const find = async (changes: Changes): Promise<[ExamineVerdict, ...FindingName[]]> => {
  const { verdict, findings } = await examineDelivery(caseOf(changes));
  return [verdict, ...findings.map(({ name }) => name)];
};

test("the signature check finds nothing wrong with a correctly signed delivery", async () => {
  expect(await find({})).toEqual(["right"]);
});

test("the signature check accepts generated signed deliveries, as the Standard Webhooks library does", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 24, maxLength: 64 }),
      fc.uuid(),
      fc.json(),
      async (bytes, id, body) => {
        const now = Date.now();
        const secret = `whsec_${Buffer.from(bytes).toString("base64")}`;
        const headers = await signDelivery({ id, body }, [secret], now);
        expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
        const raw = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
        const request = readRequest(`POST /hooks HTTP/1.1\n${raw.join("\n")}\n\n${body}`);
        expect(request).not.toBeNull();
        if (!request) return;
        const { verdict, findings } = await examineDelivery({
          ...caseOf(),
          request,
          secrets: [secret],
          now,
        });
        expect({ verdict, findings }).toEqual({ verdict: "right", findings: [] });
      },
    ),
  );
});

describe("the signature check with a wrong secret", () => {
  test.each<[FindingName, string[]]>([
    ["secret_spaces", [` ${SECRET}`]],
    ["secret_spaces", [`${SECRET}\n`]],
    ["secret_quoted", [`"${SECRET}"`]],
    ["other_secret", [OTHER, SECRET]],
    ["wrong_secret", [OTHER]],
    ["bad_secret", ["not a secret!".replaceAll(" ", "!")]],
  ])("reports the finding %s", async (name, secrets) => {
    const [verdict, ...names] = await find({ secrets });
    expect(names).toEqual([name]);
    expect(verdict).toBe(["wrong_secret", "bad_secret"].includes(name) ? "wrong" : "explained");
  });

  test("returns the secret without spaces and quotes", async () => {
    expect((await examineDelivery(caseOf({ secrets: [` "${SECRET}"`] }))).secret).toBe(SECRET);
  });

  test("reports only that the secret is missing", async () => {
    expect(await find({ secrets: [] })).toEqual(["wrong", "no_secret"]);
  });
});

describe("the signature check of a changed body", () => {
  const indented = (text: string) => JSON.stringify(JSON.parse(text), null, 2);
  const signatureOf = (body: string) => `v1,${made(`${ID}.${TIME}.${body}`).digest("base64")}`;
  const SORTED = '{"data": {"amount": 1}, "event": "x", "id": "y"}';
  test.each<[FindingName, Changes]>([
    ["body_reserialised", { body: compact(BODY) }],
    ["body_reserialised", { body: indented(BODY), signature: signatureOf(compact(BODY)) }],
    [
      "body_reserialised",
      {
        body: SORTED,
        signature: signatureOf('{"id": "y", "event": "x", "data": {"amount": 1}}'),
      },
    ],
    ["body_newline", { body: `${BODY}\n` }],
    ["body_newline", { body: BODY, signature: signatureOf(`${BODY}\n`) }],
    [
      "body_changed",
      { body: BODY.replace("100", "999"), sent: { id: ID, timestamp: TIME, body: BODY } },
    ],
    ["body_cut", { body: BODY.slice(0, 90), sent: { id: ID, timestamp: TIME, body: BODY } }],
  ])("reports the finding %s", async (name, changes) => {
    const { verdict, findings } = await examineDelivery(caseOf(changes));
    expect([verdict, ...findings.map((found) => found.name)]).toEqual(["explained", name]);
    expect(findings[0]?.diff?.came).toBe(changes.body);
    expect(findings[0]?.diff?.signed).not.toBe(changes.body);
  });

  test("recognizes a truncated body by the Content-Length header or by incomplete JSON", async () => {
    const announced = [{ name: "Content-Length", value: String(Buffer.byteLength(BODY)) }];
    expect(await find({ body: BODY.slice(0, -1), more: announced })).toEqual([
      "wrong",
      "body_cut",
    ]);
    expect(await find({ body: BODY.slice(0, 60) })).toEqual(["wrong", "body_cut"]);
  });

  test("finds two changes of the body at once", async () => {
    expect(await find({ body: `${compact(BODY)}\n` })).toEqual([
      "explained",
      "body_reserialised",
      "body_newline",
    ]);
  });

  test("reports a changed value or an empty body as unexplained", async () => {
    expect(await find({ body: compact(BODY.replace("100.00", "999")) })).toEqual([
      "wrong",
      "unexplained",
    ]);
    expect(await find({ body: "" })).toEqual(["wrong", "no_body", "unexplained"]);
  });
});

describe("the signature check of faulty headers", () => {
  test.each<[ExamineVerdict, FindingName, Changes]>([
    ["explained", "id_and_time_swapped", { id: TIME, timestamp: ID }],
    ["explained", "id_changed", { id: "another" }],
    [
      "explained",
      "timestamp_changed",
      { timestamp: String(Number(TIME) + 60), sent: { id: ID, timestamp: TIME, body: BODY } },
    ],
    ["explained", "timestamp_unit", { timestamp: `${TIME}400` }],
    ["explained", "timestamp_unit", { timestamp: new Date(NOW).toISOString() }],
    ["explained", "header_renamed", { id: null, more: [{ name: "X-Webhook-Id", value: ID }] }],
    ["explained", "header_spaces", { id: `"${ID}"` }],
    ["explained", "header_missing", { timestamp: null }],
    ["wrong", "header_missing", { signature: null }],
    ["wrong", "no_headers", { id: null, timestamp: null, signature: null }],
  ])("gives the verdict %s with the finding %s", async (verdict, name, changes) => {
    expect(await find(changes)).toEqual([verdict, name]);
  });

  test("accepts header names in CGI notation, such as HTTP_WEBHOOK_ID", async () => {
    const more = [{ name: "HTTP_WEBHOOK_ID", value: ID }];
    expect(await find({ id: null, more })).toEqual(["right"]);
  });
});

describe("the signature check of a faulty signature", () => {
  const decoded = made(SIGNED);
  const base64 = decoded.digest("base64");
  test.each<[FindingName, string]>([
    ["secret_not_decoded", `v1,${made(SIGNED, SECRET).digest("base64")}`],
    ["secret_not_decoded", `v1,${made(SIGNED, SECRET.slice(6)).digest("base64")}`],
    ["hex_signature", `v1,${made(SIGNED).digest("hex")}`],
    ["other_algorithm", `v1,${made(SIGNED, KEY, "sha512").digest("base64")}`],
    ["other_algorithm", `v1,${made(SIGNED, KEY, "sha1").digest("base64")}`],
    ["signature_prefix", base64],
    ["signature_prefix", `v1=${base64}`],
    ["other_layout", `v1,${made(BODY).digest("base64")}`],
    ["other_layout", `v1,${made(`${TIME}.${BODY}`).digest("base64")}`],
  ])("reports the finding %s", async (name, signature) => {
    expect(await find({ signature })).toEqual(["explained", name]);
  });

  test("finds four mistakes in one signature", async () => {
    const signature = `sha256=${made(BODY, SECRET).digest("hex")}`;
    expect(await find({ signature })).toEqual([
      "explained",
      "signature_prefix",
      "hex_signature",
      "secret_not_decoded",
      "other_layout",
    ]);
  });

  test("accepts one valid signature among several, and notes that there are several", async () => {
    const other = createHmac("sha256", "x").update(SIGNED).digest("base64");
    expect(await find({ signature: `v1,${other} v1,${base64}` })).toEqual([
      "right",
      "several_signatures",
    ]);
  });
});

describe("the signature check with a wrong clock", () => {
  const MINUTE = 60_000;
  test.each<[ExamineVerdict, FindingName[], number]>([
    ["right", [], 4],
    ["right", [], -4],
    ["outdated", ["too_old"], 7],
    ["outdated", ["from_the_future"], -7],
    ["outdated", ["clock_zone"], 345],
    ["outdated", ["clock_zone"], -345],
  ])(
    "gives the verdict %s with the findings %j if the receiver's clock shows %i minutes after signing",
    async (verdict, names, minutes) => {
      expect(await find({ received_at: NOW + minutes * MINUTE })).toEqual([verdict, ...names]);
    },
  );

  test("notes that a valid delivery is old by now if the time of receipt is unknown", async () => {
    expect(await find({ now: NOW + 90 * MINUTE })).toEqual(["outdated", "old_by_now"]);
  });
});

test("the signature check of a body with 300,000 spaces ends without delay", async () => {
  const spaces = `{"a":1${" ".repeat(300_000)}x`;
  expect(await find({ body: spaces })).toEqual(["wrong", "body_cut"]);
});

test("the signature check of an inexplicable body of one megabyte ends in time", async () => {
  const body = JSON.stringify({ text: "x".repeat(1_000_000) });
  expect(await find({ body })).toEqual(["wrong", "unexplained"]);
});
