import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { hashPassword } from "#lib/auth/credentials/password.ts";
import {
  createSession,
  findMembership,
  findSession,
  findVisitor,
  saveLastScope,
  revokeSession,
  revokeAllSessions,
} from "./session.ts";

useDashboardDatabase();
const NOW = new Date("2026-11-20T10:00:00Z");
const after = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

let made = 0;

async function createMember(role = "owner") {
  made += 1;
  const email = `Member${made}@Example.com`;
  const { rows } = await pool.query<{ user_id: string; seller_id: string; code: string }>(
    `with u as (insert into app_user (email, name, password_hash) values ($1, 'Asha', $2) returning id),
          s as (insert into seller (name, time_zone) values ('Phewa', 'Asia/Kathmandu') returning id, code),
          m as (insert into membership (user_id, seller_id, role) select u.id, s.id, $3 from u, s)
     select u.id as user_id, s.id as seller_id, s.code from u, s`,
    [email, await hashPassword("right password"), role],
  );
  const [member] = rows;
  if (!member) throw new Error("no member was made");
  return { email, ...member };
}

test("a session is found by its secret, of which the database contains only a hash", async () => {
  const member = await createMember("support");
  const secret = await createSession(pool, member, NOW);
  const session = await findSession(pool, secret, after(1));
  expect(session).toMatchObject({ user: { id: member.user_id }, last: null });
  const { rows } = await pool.query<{ id: Buffer }>(
    "select id from session where user_id = $1",
    [member.user_id],
  );
  expect(rows[0]?.id).toEqual(createHash("sha256").update(secret).digest());
});

test("the secret of a revoked session finds no session", async () => {
  const secret = await createSession(pool, await createMember(), NOW);
  await revokeSession(pool, secret, NOW);
  await expect(findSession(pool, secret, NOW)).resolves.toBeNull();
});

test("a session ends 12 hours after the last use", async () => {
  const secret = await createSession(pool, await createMember(), NOW);
  await expect(findSession(pool, secret, after(11))).resolves.not.toBeNull();
  await expect(findSession(pool, secret, after(22))).resolves.not.toBeNull();
  await expect(findSession(pool, secret, after(35))).resolves.toBeNull();
});

test("a session ends after 7 days, even if it is used", async () => {
  const secret = await createSession(pool, await createMember(), NOW);
  for (let hour = 10; hour < 168; hour += 10) await findSession(pool, secret, after(hour));
  await expect(findSession(pool, secret, after(167))).resolves.not.toBeNull();
  await expect(findSession(pool, secret, after(168.1))).resolves.toBeNull();
});

test("a member's current role is read on each request, and a stranger has no role", async () => {
  const member = await createMember("owner");
  const other = await createMember("owner");
  const roleOf = async (user_id: string) =>
    (await findMembership(pool, user_id, member.code))?.role ?? null;
  await expect(roleOf(member.user_id)).resolves.toBe("owner");
  await pool.query("update membership set role = 'viewer' where user_id = $1", [
    member.user_id,
  ]);
  await expect(roleOf(member.user_id)).resolves.toBe("viewer");
  await expect(roleOf(other.user_id)).resolves.toBeNull();
  await pool.query("delete from membership where user_id = $1", [member.user_id]);
  await expect(roleOf(member.user_id)).resolves.toBeNull();
});

test("ending a user's other sessions keeps the current session and the sessions of other users", async () => {
  const member = await createMember();
  const bystander = await createSession(pool, await createMember(), NOW);
  const [kept, ended] = [
    await createSession(pool, member, NOW),
    await createSession(pool, member, NOW),
  ];
  const except = (await findSession(pool, kept, NOW))?.id ?? null;
  await expect(revokeAllSessions(pool, member.user_id, { except, now: NOW })).resolves.toBe(1);
  await expect(findSession(pool, ended, NOW)).resolves.toBeNull();
  await expect(findSession(pool, kept, NOW)).resolves.not.toBeNull();
  await expect(findSession(pool, bystander, NOW)).resolves.not.toBeNull();
});

test("a session remembers the last visited seller and mode", async () => {
  const member = await createMember();
  const secret = await createSession(pool, member, NOW);
  const session = await findSession(pool, secret, NOW);
  if (!session) throw new Error("no session");
  const scope = { seller: member.code, mode: "test" } as const;
  await saveLastScope(pool, session, scope);
  await expect(findSession(pool, secret, NOW)).resolves.toMatchObject({ last: scope });
});

test("an invented secret finds no session", async () => {
  await expect(findSession(pool, "", NOW)).resolves.toBeNull();
  await expect(findSession(pool, "' or true --", NOW)).resolves.toBeNull();
});

test("a member without a confirmed second factor counts as lacking one only at sellers that require it", async () => {
  const [member, other] = [await createMember("support"), await createMember("owner")];
  await pool.query(
    "insert into membership (user_id, seller_id, role) values ($1, $2, 'viewer')",
    [member.user_id, other.seller_id],
  );
  const lacks = async ({ code }: { code: string }) =>
    (await findMembership(pool, member.user_id, code))?.lacks_second_factor;
  await expect(lacks(member)).resolves.toBe(false);
  await pool.query("update seller set demands_second_factor = true where id = $1", [
    member.seller_id,
  ]);
  await expect(lacks(member)).resolves.toBe(true);
  await expect(lacks(other)).resolves.toBe(false);
  const secret = await createSession(pool, member, NOW);
  await expect(findVisitor(pool, secret, member.code, NOW)).resolves.toMatchObject({
    membership: { lacks_second_factor: true },
  });
  // A new, unconfirmed second factor does not count.
  await pool.query(
    "insert into second_factor (user_id, sealed_secret, key_id) values ($1, '', '')",
    [member.user_id],
  );
  await expect(lacks(member)).resolves.toBe(true);
  await pool.query("update second_factor set confirmed_at = now() where user_id = $1", [
    member.user_id,
  ]);
  await expect(lacks(member)).resolves.toBe(false);
  await pool.query("delete from second_factor where user_id = $1", [member.user_id]);
  await expect(lacks(member)).resolves.toBe(true);
});
