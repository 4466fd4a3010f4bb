import { beforeEach, expect, test } from "vitest";
import type { KeyOwner } from "#lib/billing/api-key.ts";
import { EVENT_KINDS } from "#contract/events.ts";
import { keepOwnSecret, keepRotated } from "#lib/billing/receiver-secrets.ts";
import { inTransaction } from "#lib/db/pool.ts";
import {
  clientOf,
  emptyPage,
  failureOfCall,
  json,
  service,
  useBillingServer,
} from "#scripts/testing/billing-server.ts";
import { newOwner, TEST_KEYS } from "#scripts/testing/copy-desk.ts";
import { pool, useDashboardDatabase } from "#scripts/testing/dashboard.ts";
import { deliverTo, SECRET, signed, tokenOf } from "#scripts/testing/receiver-desk.ts";
import { readReceiver } from "../data.ts";
import { registerReceiver } from "./data.ts";

useDashboardDatabase();
useBillingServer();
let owner: KeyOwner;

beforeEach(async () => {
  owner = await newOwner();
});

const baseUrl = "http://localhost:3000";
const register = () =>
  registerReceiver(pool, owner, { billing: clientOf(), keys: TEST_KEYS, baseUrl });
const stateOf = () => readReceiver(pool, owner, baseUrl);
const urlOf = async () => `${baseUrl}/api/received/${await tokenOf(owner)}`;

const record = (id: number, event: string, endpoint_url: string) => ({
  id,
  event,
  endpoint_url,
  is_active: true,
  created_at: "2026-11-20T00:00:00Z",
});
const created = async (at: number) =>
  json(201, record(at, EVENT_KINDS[at] ?? "", await urlOf()), { "x-webhook-secret": SECRET });
const listOf = async () => {
  const url = await urlOf();
  const results = EVENT_KINDS.map((event, at) => record(at, event, url));
  return json(200, { ...emptyPage, count: results.length, results });
};

async function answerAll() {
  service.answers = [];
  for (const at of EVENT_KINDS.keys())
    service.answers.push(json(200, emptyPage), await created(at));
}

test("every kind of event is registered, and what comes can be verified at once", async () => {
  await answerAll();
  await expect(register()).resolves.toEqual({ verified: [...EVENT_KINDS], without_secret: [] });
  const posted = service.seen.filter(({ method }) => method === "POST");
  expect(posted.map(({ body }) => JSON.parse(body))).toEqual(
    await Promise.all(
      EVENT_KINDS.map(async (event) => ({
        event,
        endpoint_url: await urlOf(),
        is_active: true,
      })),
    ),
  );
  const { secrets, registered_at } = await stateOf();
  expect(secrets.map(({ event }) => event)).toEqual([...EVENT_KINDS]);
  expect(registered_at).not.toBeNull();
  expect(JSON.stringify(await stateOf())).not.toContain(SECRET.slice(6));
  await expect(deliverTo(await tokenOf(owner), await signed())).resolves.toMatchObject({
    status: 204,
    reason: null,
  });
});

test("a second press finds everything registered, and makes and changes nothing", async () => {
  await answerAll();
  await register();
  const before = service.seen.length;
  service.answers = [await listOf(), await listOf(), await listOf()];
  await expect(register()).resolves.toMatchObject({ verified: [...EVENT_KINDS] });
  expect(service.seen.slice(before).map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
});

test("while one press is at it another one is told so, and asks the service for nothing", async () => {
  await inTransaction(pool, async (client) => {
    await client.query("select 1 from receiver where seller_id = $1 for no key update", [
      owner.seller_id,
    ]);
    const { kind } = await failureOfCall(register);
    expect(kind).toBe("conflict");
  });
  expect(service.seen).toEqual([]);
});

test("a registration whose secret nobody has gets another one by rotation", async () => {
  const list = await listOf();
  const rotated = json(200, { message: "" }, { "x-webhook-secret": SECRET });
  service.answers = EVENT_KINDS.flatMap(() => [list, rotated]);
  await expect(register()).resolves.toMatchObject({ verified: [...EVENT_KINDS] });
  expect(service.seen.filter(({ url }) => url.includes("rotate-secret"))).toHaveLength(3);
});

test("a secret rotated by hand takes the place of the one before, which counts a while longer", async () => {
  await answerAll();
  await register();
  const next = { webhook_id: 1, secret: `${SECRET.slice(0, -4)}AAA=` };
  await keepRotated(pool, owner, next, TEST_KEYS);
  await keepRotated(pool, owner, { ...next, webhook_id: 99 }, TEST_KEYS);
  const { secrets } = await stateOf();
  expect(secrets).toHaveLength(4);
  expect(secrets.filter(({ ends_at }) => ends_at !== null)).toMatchObject([{ webhook_id: 1 }]);
});

test("of registrations made by hand only those at its own address leave their secret", async () => {
  const url = await urlOf();
  const made = (endpoint_url: string) => ({
    webhook: {
      ...record(7, "checkout.failed", endpoint_url),
      event: "checkout.failed" as const,
    },
    secret: SECRET,
    is_new: true,
  });
  await keepOwnSecret(pool, owner, made("https://shop.example/hooks"), TEST_KEYS);
  expect((await stateOf()).secrets).toEqual([]);
  await keepOwnSecret(pool, owner, made(url), TEST_KEYS);
  expect((await stateOf()).secrets).toMatchObject([
    { webhook_id: 7, event: "checkout.failed" },
  ]);
});
