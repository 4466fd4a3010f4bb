import { expect, onTestFinished, test, vi } from "vitest";
import { saveApiKey, removeApiKey } from "#lib/billing/connection.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createPerson, PASSWORD, stubEnvironment, visitFrom } from "#tools/testing/person.ts";
import { hashPassword } from "#lib/auth/credentials/password.ts";
import { PUBLISHED_HASH, PUBLISHED_PASSWORD } from "./published-password.ts";
import { findSession, isSessionStillAllowed } from "#lib/auth/sessions/session.ts";
import { signIn } from "#lib/auth/sign-in/sign-in.ts";
import { hashSessionSecret } from "#lib/auth/sessions/visit.ts";

stubEnvironment();
useDashboardDatabase();
const KEYS = [Buffer.alloc(32, 7)] as const;

/** A person with the published password, in a seller with a test key. */
async function createDemonstration() {
  const { id, email } = await createPerson(pool);
  await pool.query("update app_user set password_hash = $2 where id = $1", [
    id,
    PUBLISHED_HASH,
  ]);
  const { rows } = await pool.query<{ seller_id: string }>(
    `with s as (insert into seller (name, time_zone) values ('Phewa', 'UTC') returning id)
     insert into membership (user_id, seller_id, role) select $1, id, 'viewer' from s
     returning seller_id`,
    [id],
  );
  const seller_id = rows[0]?.seller_id ?? "";
  const connect = (mode: "test" | "live") =>
    saveApiKey(
      pool,
      { seller_id, mode },
      { apiKey: "a key", state: "good", user_id: null },
      KEYS,
    );
  await connect("test");
  const enter = async (password = PUBLISHED_PASSWORD) => {
    const given = { email, password };
    const outcome = await signIn(pool, given, visitFrom("203.0.113.7"), new Date());
    return outcome.kind === "signed_in" ? outcome.secret : outcome.kind;
  };
  return { id, seller_id, connect, enter };
}

test("the published password of the demonstration account is rejected once the seller has a live API key", async () => {
  const { seller_id, connect, enter } = await createDemonstration();
  const secret = await enter();
  expect(await findSession(pool, secret)).not.toBeNull();
  const goesOn = () =>
    isSessionStillAllowed(
      pool,
      { id: hashSessionSecret(secret) },
      seller_id,
      "subscriptions:read",
    );
  expect(await goesOn()).toBe(true);
  await connect("live");
  expect(await enter()).toBe("refused");
  expect(await findSession(pool, secret)).toBeNull();
  expect(await goesOn()).toBe(false);
  await removeApiKey(pool, { seller_id, mode: "live" });
  expect(await findSession(pool, secret)).not.toBeNull();
});

test("the published password is rejected once the demonstration account joins a seller with a live API key", async () => {
  const own = await createDemonstration();
  const other = await createDemonstration();
  await other.connect("live");
  const secret = await own.enter();
  await pool.query(
    "insert into membership (user_id, seller_id, role) values ($1, $2, 'viewer')",
    [own.id, other.seller_id],
  );
  expect(await own.enter()).toBe("refused");
  expect(await findSession(pool, secret)).toBeNull();
});

test("the published password is rejected with a live API key even if it was hashed again", async () => {
  const { id, connect, enter } = await createDemonstration();
  const own = await hashPassword(PUBLISHED_PASSWORD);
  await pool.query("update app_user set password_hash = $2 where id = $1", [id, own]);
  const secret = await enter();
  expect(await findSession(pool, secret)).not.toBeNull();
  await connect("live");
  expect(await findSession(pool, secret)).toBeNull();
  await pool.query("update app_user set password_hash = $2 where id = $1", [id, own]);
  expect(await enter()).toBe("refused");
});

test("another password of the demonstration account works with a live API key", async () => {
  const { id, connect, enter } = await createDemonstration();
  await connect("live");
  await pool.query(
    "update app_user set password_hash = other.password_hash from app_user other where app_user.id = $1 and other.id = $2",
    [id, (await createPerson(pool)).id],
  );
  expect(await findSession(pool, await enter(PASSWORD))).not.toBeNull();
});

test.each([
  ["HOST", "0.0.0.0"],
  ["NEXTAUTH_URL", "https://desk.example"],
  ["TRUSTED_PROXIES", "1"],
  ["DEMONSTRATION", "off"],
])(
  "with the setting %s=%s the published password is rejected, even without a live API key",
  async (name, value) => {
    const { enter } = await createDemonstration();
    const secret = await enter();
    vi.stubEnv(name, value);
    onTestFinished(() => void vi.stubEnv(name, name === "NEXTAUTH_URL" ? "" : undefined));
    expect(await enter()).toBe("refused");
    expect(await findSession(pool, secret)).toBeNull();
  },
);
