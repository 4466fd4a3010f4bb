import { createHmac, randomBytes } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import {
  checkSignature,
  signDelivery,
  STANDARD_SCHEME,
  type SignatureScheme,
} from "./signature.ts";

const NOW = Date.parse("2026-11-20T04:15:00.400Z");
const secretOf = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString("base64")}`;
const SECRET = secretOf(Buffer.alloc(32, 7));
const OTHER = secretOf(Buffer.alloc(32, 8));
const delivery = {
  id: "3f1b3b57-7a0c-4a52-9a2f-0d1c5a3f9d11",
  body: '{"event":"x","name":"सीता"}',
};
const signed = async (
  secrets = [SECRET],
  at = NOW,
  scheme: SignatureScheme = STANDARD_SCHEME,
) => ({
  headers: await signDelivery(delivery, secrets, at, scheme),
  body: delivery.body,
});
const check = async (
  changes: Partial<Record<keyof typeof STANDARD_SCHEME.headers, string | undefined>> & {
    body?: string;
  },
  secrets: readonly string[] = [SECRET],
) => {
  const { headers, body } = await signed();
  const { id, timestamp, signature } = STANDARD_SCHEME.headers;
  const changed = { ...headers };
  const set = (key: string | null, value: string | undefined) => {
    if (key !== null && value !== undefined) changed[key] = value;
  };
  set(id, changes.id);
  set(timestamp, changes.timestamp);
  set(signature, changes.signature);
  return checkSignature({ headers: changed, body: changes.body ?? body }, secrets, NOW);
};

describe("the signature check of a delivery", () => {
  test("accepts a delivery that follows the standard and returns every step", async () => {
    const { headers, body } = await signed();
    const found = await checkSignature({ headers, body }, [SECRET], NOW);
    expect(found).toMatchObject({
      problem: null,
      is_authentic: true,
      id: delivery.id,
      timestamp: "1795148100",
      signed_at: 1_795_148_100_000,
      age: 0,
      agreed: { secret: 0, given: 0 },
      secrets: [{ is_readable: true, had_prefix: true, key_length: 32 }],
    });
    const text = `${delivery.id}.1795148100.${body}`;
    expect(Buffer.from(found.signed ?? []).toString()).toBe(text);
    const expected = createHmac("sha256", Buffer.alloc(32, 7)).update(text).digest("base64");
    expect(found.secrets[0]?.expected).toBe(expected);
    expect(found.given).toEqual([expected]);
  });

  test("agrees with the library of the Standard Webhooks specification", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 80 }),
        fc.uuid(),
        fc.json(),
        fc.integer({ min: -2, max: 2 }),
        async (bytes, id, body, step) => {
          const now = Date.now();
          const secret = secretOf(bytes);
          const headers = await signDelivery({ id, body }, [secret], now);
          const shown = step === 0 ? body : `${body}${" ".repeat(Math.abs(step))}`;
          const { problem } = await checkSignature({ headers, body: shown }, [secret], now);
          const verify = () => new Webhook(secret).verify(shown, headers);
          expect(problem).toBe(step === 0 ? null : "wrong_signature");
          if (step === 0) expect(verify).not.toThrow();
          else expect(verify).toThrow();
        },
      ),
    );
  });

  test("verifies the bytes of the body, even if they are not text", async () => {
    const body = Uint8Array.from(randomBytes(40));
    const headers = await signDelivery({ id: "a", body }, [SECRET], NOW);
    const found = await checkSignature({ headers, body }, [SECRET], NOW);
    expect(found.problem).toBeNull();
  });
});

describe("the signature check names the problem:", () => {
  test.each([
    ["no_secret", {}, []],
    ["bad_secret", {}, ["whsec_"]],
    ["bad_secret", {}, [`${SECRET} `]],
    ["bad_secret", {}, [`"${SECRET}"`]],
    ["wrong_signature", {}, [OTHER]],
    ["wrong_signature", { body: '{"event": "x"}' }, [SECRET]],
    ["wrong_signature", { id: "another" }, [SECRET]],
    ["wrong_signature", { timestamp: "1795148101" }, [SECRET]],
    ["no_signature", { signature: "" }, [SECRET]],
    ["no_signature", { signature: "v1a,abc" }, [SECRET]],
    ["no_id", { id: "" }, [SECRET]],
    ["no_timestamp", { timestamp: "" }, [SECRET]],
    ["no_timestamp", { timestamp: "today" }, [SECRET]],
  ] as const)("%s", async (problem, changes, secrets) => {
    expect(await check(changes, secrets)).toMatchObject({ problem, is_authentic: false });
  });

  test.each([
    [300, null],
    [301, "too_old"],
    [-300, null],
    [-301, "from_the_future"],
  ])("for a clock difference of %i seconds, %s", async (age, problem) => {
    const found = await checkSignature(
      await signed([SECRET], NOW - age * 1_000),
      [SECRET],
      NOW,
    );
    expect(found).toMatchObject({ problem, age, is_authentic: true });
  });
});

test("during a rotation, the old and the new secret each verify a delivery", async () => {
  const both = await signed([OTHER, SECRET]);
  expect(await checkSignature(both, [SECRET], NOW)).toMatchObject({
    problem: null,
    agreed: { secret: 0, given: 1 },
  });
  expect(await checkSignature(await signed(), [OTHER, "broken!", SECRET], NOW)).toMatchObject({
    problem: null,
    agreed: { secret: 2, given: 0 },
  });
});

describe("a custom signature scheme", () => {
  const header = { id: null, timestamp: null, signature: "x-signature" };
  const schemes: [string, SignatureScheme, string][] = [
    [
      "signs the body alone, in hex, with a secret as it is written",
      {
        ...STANDARD_SCHEME,
        headers: header,
        signs: "body",
        encoding: "hex",
        prefix: "sha256=",
        secret: "text",
      },
      createHmac("sha256", "s3cret").update(delivery.body).digest("hex"),
    ],
    [
      "signs time and body by SHA-512",
      {
        ...STANDARD_SCHEME,
        headers: { ...header, timestamp: "x-time" },
        signs: "timestamp.body",
        algorithm: "sha512",
        prefix: "",
        secret: "text",
      },
      createHmac("sha512", "s3cret").update(`1795148100.${delivery.body}`).digest("base64"),
    ],
    [
      "signs by SHA-1",
      { ...STANDARD_SCHEME, headers: header, signs: "body", algorithm: "sha1", secret: "text" },
      createHmac("sha1", "s3cret").update(delivery.body).digest("base64"),
    ],
  ];
  test.each(schemes)("%s", async (_name, scheme, expected) => {
    const { headers, body } = await signed(["s3cret"], NOW, scheme);
    expect(headers["x-signature"]).toBe(scheme.prefix + expected);
    const found = await checkSignature({ headers, body }, ["s3cret"], NOW, scheme);
    expect(found.problem).toBeNull();
    const forged = await checkSignature({ headers, body: `${body} ` }, ["s3cret"], NOW, scheme);
    expect(forged.problem).toBe("wrong_signature");
  });
});
