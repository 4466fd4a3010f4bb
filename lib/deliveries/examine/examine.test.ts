import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { signDelivery } from "#lib/signature.ts";
import { readDelivery } from "./reading/rules.ts";
import { examine, type Case, type FindingName, type Verdict } from "./rules.ts";
import type { Header } from "./shell/rules.ts";

const NOW = Date.parse("2026-11-20T04:15:00.400Z");
const TIME = String(Math.floor(NOW / 1_000));
const secretOf = (seed: string) =>
  `whsec_${createHash("sha256").update(seed).digest("base64")}`;
// Its base64 holds both characters that the url-safe alphabet writes otherwise.
const SECRET = `whsec_${Buffer.from("fbefbefbef" + "ab".repeat(20) + "ffffff", "hex").toString("base64")}`;
const OTHER = secretOf("other");
const KEY = Buffer.from(SECRET.slice(6), "base64");
const ID = "3f1b3b57-7a0c-4a52-9a2f-0d1c5a3f9d11";
/** As PostgreSQL builds it. */
const BODY =
  `{"id" : "${ID}", "event" : "checkout.succeeded", "type" : "checkout.succeeded", ` +
  `"timestamp" : "2026-11-20T04:15:00.000Z", "reason" : "सीता/payment", ` +
  `"data" : {"amount" : 100.00, "pbp_id" : 7}}`;
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
  computed?: string;
  sent?: Case["sent"];
  was_parsed?: boolean;
  now?: number;
}

function caseOf(changes: Changes = {}): Case {
  const signature = `v1,${made(SIGNED).digest("base64")}`;
  const header = (name: string, value: string | null): Header[] =>
    value === null ? [] : [{ name, value }];
  const value = <T>(given: T | undefined, usual: T) => (given === undefined ? usual : given);
  return {
    came: {
      form: "http",
      url: null,
      headers: [
        ...header("webhook-id", value(changes.id, ID)),
        ...header("webhook-timestamp", value(changes.timestamp, TIME)),
        ...header("webhook-signature", value(changes.signature, signature)),
        ...(changes.more ?? []),
      ],
      body: changes.body ?? BODY,
      was_parsed: changes.was_parsed ?? false,
    },
    secrets: changes.secrets ?? [SECRET],
    now: changes.now ?? NOW,
    received_at: changes.received_at ?? null,
    computed: changes.computed ?? "",
    sent: changes.sent ?? null,
  };
}

const find = async (changes: Changes): Promise<[Verdict, ...FindingName[]]> => {
  const { verdict, findings } = await examine(caseOf(changes));
  return [verdict, ...findings.map(({ name }) => name)];
};

test("a right delivery is right, and nothing is said against it", async () => {
  expect(await find({})).toEqual(["right"]);
});

test("what is right by the standard's own library is right here, whatever it holds", async () => {
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
        const came = readDelivery(`POST /hooks HTTP/1.1\n${raw.join("\n")}\n\n${body}`);
        expect(came).not.toBeNull();
        if (!came) return;
        const { verdict, findings } = await examine({
          ...caseOf(),
          came,
          secrets: [secret],
          now,
        });
        expect({ verdict, findings }).toEqual({ verdict: "right", findings: [] });
      },
    ),
  );
});

describe("a fault in the secret is found by name:", () => {
  test.each<[FindingName, string[]]>([
    ["secret_spaces", [` ${SECRET}`]],
    ["secret_spaces", [`${SECRET}\n`]],
    ["secret_quoted", [`"${SECRET}"`]],
    ["secret_named", [`WEBHOOK_SECRET=${SECRET}`]],
    ["secret_escaped", [`${SECRET}\\n`]],
    ["secret_urlsafe", [SECRET.replaceAll("+", "-").replaceAll("/", "_")]],
    ["other_secret", [OTHER, SECRET]],
    ["wrong_secret", [OTHER]],
    ["bad_secret", ["not a secret!".replaceAll(" ", "!")]],
  ])("%s", async (name, secrets) => {
    const [verdict, ...names] = await find({ secrets });
    expect(names).toEqual([name]);
    expect(verdict).toBe(["wrong_secret", "bad_secret"].includes(name) ? "wrong" : "explained");
  });

  test("the secret is given back as it should be stored", async () => {
    expect((await examine(caseOf({ secrets: [` "${SECRET}"`] }))).secret).toBe(SECRET);
  });

  test("without one, only that is said", async () => {
    expect(await find({ secrets: [] })).toEqual(["wrong", "no_secret"]);
  });
});

describe("a fault in the body is found by name:", () => {
  const spelled = (text: string) => JSON.stringify(JSON.parse(text), null, 2);
  const signatureOf = (body: string) => `v1,${made(`${ID}.${TIME}.${body}`).digest("base64")}`;
  const SORTED = '{"data": {"amount": 1}, "event": "x", "id": "y"}';
  test.each<[FindingName, Changes]>([
    [
      "body_spaces",
      { body: compact(BODY), signature: signatureOf(BODY.replace("100.00", "100")) },
    ],
    ["body_spaces", { body: spelled(BODY), signature: signatureOf(compact(BODY)) }],
    [
      "body_key_order",
      {
        body: SORTED,
        signature: signatureOf('{"id": "y", "event": "x", "data": {"amount": 1}}'),
      },
    ],
    [
      "body_unicode",
      { body: BODY.replace("सी", "\\u0938\\u0940").replace("ता", "\\u0924\\u093e") },
    ],
    ["body_slashes", { body: BODY.replace("/", "\\/") }],
    ["body_newline", { body: `${BODY}\n` }],
    ["body_newline", { body: BODY, signature: signatureOf(`${BODY}\n`) }],
    ["body_line_ends", { body: "{\r\n}", signature: signatureOf("{\n}") }],
    ["body_line_ends", { body: "{\n}", signature: signatureOf("{\r\n}") }],
    ["body_mark", { body: `\uFEFF${BODY}` }],
    ["body_quoted", { body: JSON.stringify(BODY) }],
    ["body_base64", { body: Buffer.from(BODY).toString("base64") }],
    ["body_charset", { body: Buffer.from(BODY).toString("latin1") }],
    ["body_html", { body: BODY.replaceAll('"', "&quot;") }],
    [
      "body_changed",
      { body: BODY.replace("100", "999"), sent: { id: ID, timestamp: TIME, body: BODY } },
    ],
    ["body_cut", { body: BODY.slice(0, 90), sent: { id: ID, timestamp: TIME, body: BODY } }],
  ])("%s", async (name, changes) => {
    const { verdict, findings } = await examine(caseOf(changes));
    expect([verdict, ...findings.map((found) => found.name)]).toEqual(["explained", name]);
    expect(findings[0]?.diff?.came).toBe(changes.body);
    expect(findings[0]?.diff?.signed).not.toBe(changes.body);
  });

  test("a cut one, by the length that was announced or by its end", async () => {
    const announced = [{ name: "Content-Length", value: String(Buffer.byteLength(BODY)) }];
    expect(await find({ body: BODY.slice(0, -1), more: announced })).toEqual([
      "wrong",
      "body_cut",
    ]);
    expect(await find({ body: BODY.slice(0, 60) })).toEqual(["wrong", "body_cut"]);
  });

  test("one that was only there as a parsed value", async () => {
    const lost = BODY.replace("100.00", "1e2");
    expect(await find({ body: compact(lost), was_parsed: true })).toEqual([
      "wrong",
      "body_was_parsed",
    ]);
  });

  test("two at once", async () => {
    const body = `${compact(BODY.replace("100.00", "7"))}\n`;
    const signature = signatureOf(BODY.replace("100.00", "7"));
    expect(await find({ body, signature })).toEqual([
      "explained",
      "body_newline",
      "body_spaces",
    ]);
  });

  test("what nobody can tell is said to be so", async () => {
    expect(await find({ body: compact(BODY.replace("100.00", "999")) })).toEqual([
      "wrong",
      "unexplained",
    ]);
    expect(await find({ body: "" })).toEqual(["wrong", "no_body", "unexplained"]);
  });
});

describe("a fault in the headers is found by name:", () => {
  test.each<[Verdict, FindingName, Changes]>([
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
  ])("%s by %s", async (verdict, name, changes) => {
    expect(await find(changes)).toEqual([verdict, name]);
  });

  test("names as CGI writes them are no fault", async () => {
    const more = [{ name: "HTTP_WEBHOOK_ID", value: ID }];
    expect(await find({ id: null, more })).toEqual(["right"]);
  });
});

describe("a fault in the signature is found by name:", () => {
  const decoded = made(SIGNED);
  const base64 = decoded.digest("base64");
  test.each<[FindingName, string]>([
    ["secret_not_decoded", `v1,${made(SIGNED, SECRET).digest("base64")}`],
    ["secret_not_decoded", `v1,${made(SIGNED, SECRET.slice(6)).digest("base64")}`],
    ["hex_signature", `v1,${made(SIGNED).digest("hex")}`],
    ["urlsafe_signature", `v1,${made(SIGNED).digest("base64url")}`],
    ["other_algorithm", `v1,${made(SIGNED, KEY, "sha512").digest("base64")}`],
    ["other_algorithm", `v1,${made(SIGNED, KEY, "sha1").digest("base64")}`],
    ["signature_prefix", base64],
    ["signature_prefix", `v1=${base64}`],
    ["other_layout", `v1,${made(BODY).digest("base64")}`],
    ["other_layout", `v1,${made(`${TIME}.${BODY}`).digest("base64")}`],
  ])("%s", async (name, signature) => {
    expect(await find({ signature })).toEqual(["explained", name]);
  });

  test("two at once", async () => {
    const signature = `sha256=${made(BODY, SECRET).digest("hex")}`;
    expect(await find({ signature })).toEqual([
      "explained",
      "signature_prefix",
      "hex_signature",
      "secret_not_decoded",
      "other_layout",
    ]);
  });

  test("several with one right are right, and it is said that each has to be tried", async () => {
    const other = createHmac("sha256", "x").update(SIGNED).digest("base64");
    expect(await find({ signature: `v1,${other} v1,${base64}` })).toEqual([
      "right",
      "several_signatures",
    ]);
  });
});

describe("a clock that is off is found by name:", () => {
  const MINUTE = 60_000;
  test.each<[Verdict, FindingName[], number]>([
    ["right", [], 4],
    ["right", [], -4],
    ["outdated", ["too_old"], 7],
    ["outdated", ["from_the_future"], -7],
    ["outdated", ["clock_zone"], 345],
    ["outdated", ["clock_zone"], -345],
  ])("%s %j after %i minutes", async (verdict, names, minutes) => {
    expect(await find({ received_at: NOW + minutes * MINUTE })).toEqual([verdict, ...names]);
  });

  test("one that is only looked at later is right but old by now", async () => {
    expect(await find({ now: NOW + 90 * MINUTE })).toEqual(["outdated", "old_by_now"]);
  });
});

describe("what a program worked out is explained:", () => {
  test.each<[FindingName, string]>([
    ["computed_right", made(SIGNED).digest("base64")],
    ["computed_right", `v1,${made(SIGNED).digest("base64")}`],
    ["secret_not_decoded", made(SIGNED, SECRET).digest("base64")],
    ["hex_signature", made(SIGNED).digest("hex")],
    [
      "body_spaces",
      made(SIGNED.replace(BODY, compact(BODY).replace("100", "100.00"))).digest("base64"),
    ],
    ["other_layout", made(BODY).digest("base64")],
    ["timestamp_unit", made(SIGNED.replace(TIME, `${TIME}000`)).digest("base64")],
    ["computed_unexplained", made("something else").digest("base64")],
    ["computed_unexplained", "no signature at all"],
  ])("%s", async (name, computed) => {
    const { verdict, findings } = await examine(caseOf({ computed }));
    expect([verdict, ...findings.map((found) => [found.name, found.about])]).toEqual([
      "right",
      [name, "computed"],
    ]);
  });
});

test("long runs of spaces or of escapes are gone through once", async () => {
  const spaces = `{"a":1${" ".repeat(300_000)}x`;
  expect(await find({ body: spaces })).toEqual(["wrong", "body_cut"]);
  const secrets = [`whsec_${"\\n".repeat(150_000)}x`];
  expect((await find({ secrets }))[0]).toBe("wrong");
});

test("a body of a megabyte that nothing explains is given up in time", async () => {
  const body = JSON.stringify({ text: "x".repeat(1_000_000) });
  expect(await find({ body })).toEqual(["wrong", "unexplained"]);
});
