import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type pg from "pg";
import { createPool } from "#lib/db/pool.ts";
import { createTestDatabase, type TestDatabase } from "#scripts/testing/database.ts";
import { hashPassword } from "./password.ts";
import { createSession, findSession, revokeSession } from "./session.ts";
import { signIn } from "./sign-in.ts";

let database: TestDatabase;
let pool: pg.Pool;
const NOW = new Date("2026-11-20T10:00:00Z");
const after = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

beforeAll(async () => {
  database = await createTestDatabase("dashboard");
  pool = createPool(database.url);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

let made = 0;

async function createMember(role = "owner") {
  made += 1;
  const email = `Member${made}@Example.com`;
  const { rows } = await pool.query<{ user_id: string; seller_id: string }>(
    `with u as (insert into app_user (email, name, password_hash) values ($1, 'Asha', $2) returning id),
          s as (insert into seller (name, time_zone) values ('Phewa', 'Asia/Kathmandu') returning id)
     insert into membership (user_id, seller_id, role) select u.id, s.id, $3 from u, s
     returning user_id, seller_id`,
    [email, await hashPassword("right password"), role],
  );
  const [member] = rows;
  if (!member) throw new Error("no member was made");
  return { email, ...member };
}

test("a session is found by its secret, which the database does not hold", async () => {
  const member = await createMember("support");
  const secret = await createSession(pool, member, NOW);
  const session = await findSession(pool, secret, after(1));
  expect(session).toMatchObject({ role: "support", user: { id: member.user_id } });
  expect(session?.seller).toMatchObject({ id: member.seller_id, time_zone: "Asia/Kathmandu" });
  const { rows } = await pool.query<{ id: Buffer }>(
    "select id from session where user_id = $1",
    [member.user_id],
  );
  expect(rows[0]?.id).toEqual(createHash("sha256").update(secret).digest());
});

test("a session ends when it is revoked, and a copy of its cookie with it", async () => {
  const secret = await createSession(pool, await createMember(), NOW);
  await revokeSession(pool, secret, NOW);
  await expect(findSession(pool, secret, NOW)).resolves.toBeNull();
});

test("a session ends after 12 idle hours, and each use puts that off", async () => {
  const secret = await createSession(pool, await createMember(), NOW);
  await expect(findSession(pool, secret, after(11))).resolves.not.toBeNull();
  await expect(findSession(pool, secret, after(22))).resolves.not.toBeNull();
  await expect(findSession(pool, secret, after(35))).resolves.toBeNull();
});

test("a session ends after 7 days however much it is used", async () => {
  const secret = await createSession(pool, await createMember(), NOW);
  for (let hour = 10; hour < 168; hour += 10) await findSession(pool, secret, after(hour));
  await expect(findSession(pool, secret, after(167))).resolves.not.toBeNull();
  await expect(findSession(pool, secret, after(168.1))).resolves.toBeNull();
});

test("the role is the one of today, and leaving the team ends the session", async () => {
  const member = await createMember("owner");
  const secret = await createSession(pool, member, NOW);
  await pool.query("update membership set role = 'viewer' where user_id = $1", [
    member.user_id,
  ]);
  await expect(findSession(pool, secret, NOW)).resolves.toMatchObject({ role: "viewer" });
  await pool.query("delete from membership where user_id = $1", [member.user_id]);
  await expect(findSession(pool, secret, NOW)).resolves.toBeNull();
});

test("a made-up secret finds nothing", async () => {
  await expect(findSession(pool, "", NOW)).resolves.toBeNull();
  await expect(findSession(pool, "' or true --", NOW)).resolves.toBeNull();
});

test("signing in makes a session, whatever the case of the email", async () => {
  const { email, user_id } = await createMember();
  const credentials = { email: ` ${email.toUpperCase()} `, password: "right password" };
  const secret = await signIn(pool, credentials, NOW);
  const session = await findSession(pool, secret ?? "", NOW);
  expect(session?.user.id).toBe(user_id);
});

test("signing in tells nothing of what was wrong", async () => {
  const { email, user_id } = await createMember();
  const password = "right password";
  const wrong = [
    { email, password: "wrong password" },
    { email: "nobody@example.com", password },
    { email, password: password.repeat(100) },
    { email },
    null,
    { email: { toString: () => email }, password },
  ];
  for (const credentials of wrong) expect(await signIn(pool, credentials, NOW)).toBeNull();
  await pool.query("delete from membership where user_id = $1", [user_id]);
  expect(await signIn(pool, { email, password }, NOW)).toBeNull();
});
