import { beforeEach, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { STANDARD_SCHEME } from "#lib/signature.ts";
import { createIndexOwner, TEST_KEYS } from "#tools/testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  countPaymentsOf,
  deliverTo,
  storeReceiverSecret,
  storedDeliveriesOf,
  setScheme,
  signedRequest,
  checkoutSucceededBody,
  readReceiverToken,
  readVerdicts,
} from "#tools/testing/fixtures/receiver-fixture.ts";
import { MAX_BODY_LENGTH, receiveDelivery } from "./receive.ts";

useDashboardDatabase();
let owner: KeyOwner;
let token: string;

beforeEach(async () => {
  owner = await createIndexOwner();
  token = await readReceiverToken(owner);
  await storeReceiverSecret(owner);
});

const send = (request: Request) => deliverTo(token, request);
const verdicts = () => readVerdicts(owner);

test("unreadable and oversized deliveries are rejected, and long bodies and invalid event names and ids are not stored", async () => {
  for (const body of ["", "no JSON", "[]", "null"])
    await expect(send(await signedRequest({ body }))).resolves.toEqual({
      status: 400,
      reason: "not_json",
    });
  const long = await signedRequest({
    body: { ...checkoutSucceededBody(), more: "x".repeat(MAX_BODY_LENGTH) },
  });
  await expect(send(long)).resolves.toEqual({ status: 413, reason: "too_large" });
  const some = await signedRequest({
    id: "long",
    body: { ...checkoutSucceededBody(), more: "x".repeat(30_000) },
  });
  await expect(send(some)).resolves.toMatchObject({ status: 204 });
  expect((await storedDeliveriesOf(owner)).at(-1)).toMatchObject({
    body: null,
    verdict: "verified",
  });
  await send(
    await signedRequest({ id: "strange", body: { event: "a b", subscription_id: "../x" } }),
  );
  expect((await storedDeliveriesOf(owner)).at(-1)).toMatchObject({
    event: null,
    subscription_id: null,
  });
});

test("a custom signature format is verified, and a repeated delivery is recognized only by a signed id", async () => {
  const scheme = {
    ...STANDARD_SCHEME,
    headers: { id: "x-id", timestamp: null, signature: "x-signature" },
    algorithm: "sha512",
    encoding: "hex",
    prefix: "sha512=",
    signs: "body",
    secret: "text",
  } as const;
  await setScheme(owner, scheme);
  await send(await signedRequest({ id: "one", scheme }));
  await send(await signedRequest({ id: "another id over the same body", scheme }));
  await send(
    await signedRequest({
      id: "one",
      body: { ...checkoutSucceededBody(), id: "evt-9" },
      scheme,
    }),
  );
  await expect(verdicts()).resolves.toEqual(["verified", "repeated: same_body", "verified"]);
  expect((await storedDeliveriesOf(owner)).at(-1)?.delivery_id).toBe("evt-9");
});

test("if only the body is signed, an identical body does not count as a second payment", async () => {
  await setScheme(owner, { ...STANDARD_SCHEME, signs: "body" });
  const scheme = { ...STANDARD_SCHEME, signs: "body" } as const;
  await send(await signedRequest({ id: "one", scheme }));
  await send(await signedRequest({ id: "a month later", scheme }));
  await expect(verdicts()).resolves.toEqual(["verified", "repeated: same_body"]);
});

test("if the time is signed, an identical body some days later counts as a second payment", async () => {
  const scheme = { ...STANDARD_SCHEME, signs: "timestamp.body" } as const;
  await setScheme(owner, scheme);
  const at = async (days: number) => {
    const now = Date.now() + days * 24 * 60 * 60 * 1_000;
    const request = await signedRequest({ scheme, age: -days * 24 * 60 * 60 });
    return receiveDelivery(pool, token, request, { keys: TEST_KEYS, now });
  };
  for (const days of [0, 1, 2, 31]) await at(days);
  await expect(verdicts()).resolves.toEqual([
    "verified",
    "repeated: seen_before",
    "repeated: seen_before",
    "verified",
  ]);
  await expect(countPaymentsOf(owner)).resolves.toBe(2);
});

test("a signature in upper-case hex and one of several comma-separated signatures are accepted", async () => {
  const scheme = { ...STANDARD_SCHEME, encoding: "hex", prefix: "sha256=" } as const;
  await setScheme(owner, scheme);
  const upper = await signedRequest({ id: "upper", scheme });
  const name = STANDARD_SCHEME.headers.signature;
  const signature = upper.headers.get(name) ?? "";
  upper.headers.set(name, `sha256=${signature.slice(7).toUpperCase()}`);
  await expect(send(upper)).resolves.toMatchObject({ status: 204 });
  const joined = await signedRequest({ id: "joined", scheme });
  joined.headers.set(name, `sha256=00,${joined.headers.get(name) ?? ""}`);
  await expect(send(joined)).resolves.toMatchObject({ status: 204 });
  await setScheme(owner, STANDARD_SCHEME);
  const standard = await signedRequest({ id: "standard" });
  standard.headers.append(name, "v1,AAAA");
  await expect(send(standard)).resolves.toMatchObject({ status: 204 });
  await expect(verdicts()).resolves.toEqual(["verified", "verified", "verified"]);
});
