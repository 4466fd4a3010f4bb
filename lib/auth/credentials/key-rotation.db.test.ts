import { randomBytes, randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { untilBlocked } from "#tools/testing/database.ts";
import { tryOpenSecret, type KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { storeAccount } from "#lib/billing/account.ts";
import { openConnection, saveApiKey } from "#lib/billing/connection.ts";
import { rotateKeys } from "./key-rotation.ts";

useDashboardDatabase();
let owners: KeyOwner[];
const before = randomBytes(32);
const next = randomBytes(32);

beforeEach(async () => {
  await pool.query("truncate seller cascade");
  owners = [];
  for (let made = 0; made < 25; made += 1) owners.push(await addKey(before));
});

async function addKey(encryptionKey: Buffer): Promise<KeyOwner> {
  const seller_id = randomUUID();
  await pool.query("insert into seller (id, name, time_zone) values ($1, 'Phewa', 'UTC')", [
    seller_id,
  ]);
  const owner = { seller_id, mode: "test" } as const;
  const key = { apiKey: `sk ${seller_id}`, state: "good", user_id: null } as const;
  await saveApiKey(pool, owner, key, [encryptionKey]);
  return owner;
}

async function expectAllOpen(encryptionKey: Buffer) {
  for (const owner of owners) {
    const { apiKey } = await openConnection(pool, owner, [encryptionKey]);
    expect(apiKey).toBe(`sk ${owner.seller_id}`);
  }
}

test("after a key rotation the new encryption key decrypts all API keys, and a second rotation changes nothing", async () => {
  await expect(rotateKeys(pool, "api_keys", [next, before], { batch: 10 })).resolves.toEqual({
    rewrapped: 25,
    unopened: 0,
  });
  await expectAllOpen(next);
  await expect(rotateKeys(pool, "api_keys", [next, before])).resolves.toEqual({
    rewrapped: 0,
    unopened: 0,
  });
});

test("an interrupted key rotation leaves every API key readable, and the next run completes the rotation", async () => {
  const stop = () => {
    throw new Error("killed");
  };
  await expect(
    rotateKeys(pool, "api_keys", [next, before], { batch: 10, onBatch: stop }),
  ).rejects.toThrow();
  for (const owner of owners)
    await expect(openConnection(pool, owner, [next, before])).resolves.toBeDefined();
  await expect(rotateKeys(pool, "api_keys", [next, before])).resolves.toMatchObject({
    rewrapped: 15,
  });
  await expectAllOpen(next);
});

test("a key rotation counts rows that no key can decrypt, and does not change them", async () => {
  const lost = await addKey(randomBytes(32));
  const { rows: untouched } = await pool.query(
    "select sealed_key, key_id from billing_connection where seller_id = $1",
    [lost.seller_id],
  );
  await expect(rotateKeys(pool, "api_keys", [next, before], { batch: 7 })).resolves.toEqual({
    rewrapped: 25,
    unopened: 1,
  });
  const { rows } = await pool.query(
    "select sealed_key, key_id from billing_connection where seller_id = $1",
    [lost.seller_id],
  );
  expect(rows).toEqual(untouched);
});

test("an API key that is stored during a key rotation is encrypted with the new encryption key", async () => {
  const [replaced] = owners;
  if (!replaced) throw new Error("no owner");
  const key = { apiKey: `sk ${replaced.seller_id}`, state: "good", user_id: null } as const;
  await Promise.all([
    rotateKeys(pool, "api_keys", [next, before], { batch: 1 }),
    saveApiKey(pool, replaced, key, [next, before]),
    rotateKeys(pool, "api_keys", [next, before], { batch: 3 }),
  ]);
  await expectAllOpen(next);
});

test("a key rotation does not overwrite an account token that is replaced meanwhile", async () => {
  const [owner] = owners;
  if (!owner) throw new Error("no owner");
  const store = (db: Pick<typeof pool, "query">, token: string, key: Buffer) =>
    storeAccount(db as Database, owner, { account_id: 1, token }, [key]);
  await store(pool, "old token", before);
  const renewal = await pool.connect();
  await renewal.query("begin");
  await store(renewal, "new token", next);
  const rotation = rotateKeys(pool, "account_tokens", [next, before]);
  await untilBlocked(pool, 1, "update billing_account%");
  await renewal.query("commit");
  renewal.release();
  await expect(rotation).resolves.toEqual({ rewrapped: 0, unopened: 0 });
  const { rows } = await pool.query<{ sealed_key: Buffer; key_id: string }>(
    "select sealed_key, key_id from billing_account where seller_id = $1",
    [owner.seller_id],
  );
  const [stored] = rows;
  const sealedFor = { ...owner, purpose: "account" } as const;
  expect(
    stored && tryOpenSecret(stored.sealed_key, stored.key_id, sealedFor, [next, before]),
  ).toBe("new token");
});
