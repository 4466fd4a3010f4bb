import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import type { EncryptionKeys, KeyOwner } from "#lib/crypto/api-key.ts";
import {
  findConnection,
  forgetUnsupportedExtensions,
  openConnection,
  removeApiKey,
  saveApiKey,
} from "./connection.ts";

useDashboardDatabase();
let owner: KeyOwner;
const keys: EncryptionKeys = [randomBytes(32)];
const NOON = new Date("2026-11-20T12:00:00Z");
const after = (seconds: number) => new Date(NOON.getTime() + seconds * 1000);

beforeEach(async () => {
  const { rows } = await pool.query<{ id: string }>(
    "insert into seller (name, time_zone) values ('Phewa', 'Asia/Kathmandu') returning id",
  );
  owner = { seller_id: rows[0]?.id ?? "", mode: "test" };
  await connect("sk_test_0001");
});

const connect = (apiKey: string) =>
  saveApiKey(pool, owner, { apiKey, state: "good", user_id: null }, keys);
const find = () => findConnection(pool, owner, keys);

test("only the last four characters of a stored API key are shown", async () => {
  const connection = await find();
  expect(connection).toMatchObject({ last4: "0001", state: "good", can_be_opened: true });
  expect(JSON.stringify(connection)).not.toContain("sk_test");
});

test("a connection stores successes at most once a minute, and a change of the key's state at once", async () => {
  const first = await openConnection(pool, owner, keys);
  await first.onKeyResult("good", NOON);
  const second = await openConnection(pool, owner, keys);
  await second.onKeyResult("good", after(59));
  expect(await find()).toMatchObject({ last_success_at: NOON, last_refusal_at: null });
  await second.onKeyResult("refused", after(59));
  expect(await find()).toMatchObject({
    state: "refused",
    state_since: after(59),
    last_success_at: NOON,
    last_refusal_at: after(59),
  });
  const third = await openConnection(pool, owner, keys);
  await third.onKeyResult("refused", after(200));
  expect(await find()).toMatchObject({ state_since: after(59), last_refusal_at: after(200) });
});

test("a successful product list makes a refused key good, but does not make the account verified", async () => {
  const stateAfter = async (...heard: ("listed" | "unverified" | "refused")[]) => {
    for (const one of heard)
      await (await openConnection(pool, owner, keys)).onKeyResult(one, NOON);
    return (await find())?.state;
  };
  await expect(stateAfter("unverified", "listed")).resolves.toBe("unverified");
  await expect(stateAfter("refused", "listed")).resolves.toBe("good");
});

test("a response to a replaced API key does not change the new key's state", async () => {
  const old = await openConnection(pool, owner, keys);
  await connect("sk_test_0002");
  await old.onKeyResult("refused", NOON);
  expect(await find()).toMatchObject({ last4: "0002", state: "good", last_refusal_at: null });
});

test("an unsupported API extension is remembered for a day, or until it is forgotten or the API key changes", async () => {
  const known = async () => (await openConnection(pool, owner, keys)).unsupportedExtensions;
  const learn = async () =>
    (await openConnection(pool, owner, keys)).rememberUnsupported?.("sandbox");
  expect(await known()).toEqual([]);
  await learn();
  expect(await known()).toEqual(["sandbox"]);
  await forgetUnsupportedExtensions(pool, owner, null);
  expect(await known()).toEqual([]);
  await learn();
  const { forgetUnsupported: forget } = await openConnection(pool, owner, keys);
  await forget?.("deliveries");
  expect(await known()).toEqual(["sandbox"]);
  await forget?.("sandbox");
  expect(await known()).toEqual([]);
  await learn();
  await connect("sk_test_0002");
  expect(await known()).toEqual([]);
  await learn();
  await pool.query(
    `update billing_connection
        set absent_doors = jsonb_build_object('sandbox', now() - interval '25 hours')
      where seller_id = $1`,
    [owner.seller_id],
  );
  expect(await known()).toEqual([]);
});

test("an offered API extension is remembered until it is found missing, or the API key is checked or changed", async () => {
  const open = () => openConnection(pool, owner, keys);
  const offered = async () => (await open()).offeredExtensions;
  const learn = async () => (await open()).rememberOffered?.("account");
  expect(await offered()).toEqual([]);
  await learn();
  await learn();
  expect(await offered()).toEqual(["account"]);
  await (await open()).forgetUnsupported?.("account");
  expect(await offered()).toEqual(["account"]);
  await (await open()).rememberUnsupported?.("account");
  expect(await open()).toMatchObject({
    offeredExtensions: [],
    unsupportedExtensions: ["account"],
  });
  await learn();
  expect(await open()).toMatchObject({
    offeredExtensions: ["account"],
    unsupportedExtensions: [],
  });
  await forgetUnsupportedExtensions(pool, owner, null);
  expect(await offered()).toEqual([]);
  await learn();
  await connect("sk_test_0002");
  expect(await offered()).toEqual([]);
});

test("an API extension can be remembered as unsupported for five minutes instead of a day", async () => {
  const { rememberUnsupported } = await openConnection(pool, owner, keys);
  await rememberUnsupported?.("account", 5);
  const { rows } = await pool.query(
    `select now() - interval '1 day' - (absent_doors ->> 'account')::timestamptz
              between interval '-5 minutes' and interval '-4 minutes' as ends_in_five
       from billing_connection where seller_id = $1`,
    [owner.seller_id],
  );
  expect(rows).toEqual([{ ends_in_five: true }]);
  expect((await openConnection(pool, owner, keys)).unsupportedExtensions).toEqual(["account"]);
});

test("an API key that was encrypted with an unknown encryption key is shown as not decryptable", async () => {
  const connection = await findConnection(pool, owner, [randomBytes(32)]);
  expect(connection).toMatchObject({ last4: "0001", can_be_opened: false });
  await expect(findConnection(pool, owner, [randomBytes(32), ...keys])).resolves.toMatchObject({
    can_be_opened: true,
  });
});

test("a removed API key is not found and cannot be removed again", async () => {
  await expect(removeApiKey(pool, owner)).resolves.toBe("0001");
  await expect(removeApiKey(pool, owner)).resolves.toBeNull();
  await expect(find()).resolves.toBeNull();
});
