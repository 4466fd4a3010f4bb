import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import type { KeyOwner } from "#lib/billing/api-key.ts";
import { newOwner, TEST_KEYS } from "#scripts/testing/copy-desk.ts";
import { pool, useDashboardDatabase } from "#scripts/testing/dashboard.ts";
import {
  countProofs,
  deliverTo,
  keepSecret,
  keptOf,
  plain,
  signed,
  succeeded,
  tokenOf,
} from "#scripts/testing/receiver-desk.ts";
import { recheckKept } from "./data.ts";

useDashboardDatabase();
let owner: KeyOwner;
let token: string;

beforeEach(async () => {
  owner = await newOwner();
  token = await tokenOf(owner);
  await keepSecret(owner);
});

const send = (request: Request) => deliverTo(token, request);

test("what came before its secret was known is verified as of then, and what was forged stays so", async () => {
  await pool.query("delete from receiver_secret");
  await send(await signed({ id: "paid" }));
  await send(await signed({ id: "paid" }));
  await send(await signed({ id: "old", age: 900 }));
  await send(plain(JSON.stringify(succeeded("sub-2"))));
  const long = await signed({ id: "long", body: { ...succeeded(), more: "x".repeat(30_000) } });
  // It cannot be kept to be checked later.
  await expect(send(long)).resolves.toEqual({ status: 503, reason: "no_secret" });
  await keepSecret(owner, `whsec_${randomBytes(32).toString("base64")}`);
  await expect(send(await signed({ id: "wrong" }))).resolves.toMatchObject({ status: 401 });
  await expect(recheckKept(pool, owner, TEST_KEYS)).resolves.toBe(0);
  expect(await countProofs(owner)).toBe(0);

  await keepSecret(owner);
  await expect(recheckKept(pool, owner, TEST_KEYS)).resolves.toBe(2);
  await expect(recheckKept(pool, owner, TEST_KEYS)).resolves.toBe(0);
  const kept = await keptOf(owner);
  const later = kept.filter(({ reason }) => reason === "checked_later");
  expect(later).toMatchObject([
    { delivery_id: "paid", verdict: "verified", received_at: kept[0]?.received_at },
    { delivery_id: "wrong", verdict: "verified" },
  ]);
  expect(await countProofs(owner)).toBe(2);
  await expect(send(await signed({ id: "paid" }))).resolves.toEqual({
    status: 204,
    reason: "seen_before",
  });
});

test("the next delivery has it looked at, where the secret came by another way", async () => {
  await pool.query("delete from receiver_secret");
  await send(await signed({ id: "before" }));
  await keepSecret(owner);
  await Promise.all([1, 2, 3].map(async (at) => send(await signed({ id: `after ${at}` }))));
  await expect(countProofs(owner)).resolves.toBe(4);
});
