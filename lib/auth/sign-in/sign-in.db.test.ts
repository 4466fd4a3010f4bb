import { Secret, TOTP } from "otpauth";
import type pg from "pg";
import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { untilBlocked } from "#tools/testing/database.ts";
import { logLinesOf } from "#tools/testing/captured-log.ts";
import { createPerson, PASSWORD, stubEnvironment, visitFrom } from "#tools/testing/person.ts";
import { linkIdentity, signInByIdentity } from "./identity.ts";
import { hashPassword } from "#lib/auth/credentials/password.ts";
import { beginSecondFactor, confirmSecondFactor } from "#lib/auth/credentials/second-factor.ts";
import { findSession } from "#lib/auth/sessions/session.ts";
import { signInByCode } from "./sign-in-code.ts";
import { signIn, type SignInOutcome } from "./sign-in.ts";

stubEnvironment();
useDashboardDatabase();
const NOW = new Date("2026-11-20T10:00:00Z");
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const HERE = visitFrom("203.0.113.7");

const wrong = { password: "wrong password" };
const right = { password: PASSWORD };
/** A hash of PASSWORD with older parameters. */
const OUTDATED =
  "$argon2id$v=19$m=8192,t=1,p=1$AeaRtEmk5dk5Gw/RUfnrWg$nv6NvUAZslHjm/+C/xTglMJvwe9Ky+Ei/N5em4/C+jA";

/** @returns the device secret that the browser keeps */
async function deviceOf(outcome: Promise<SignInOutcome>) {
  const result = await outcome;
  if (result.kind !== "signed_in") throw new Error(`not signed in: ${result.kind}`);
  return result.device;
}

test("a sign-in starts a session if the email differs only in case and spaces", async () => {
  const { email, id } = await createPerson(pool);
  const given = { email: ` ${email.toUpperCase()} `, ...right };
  const outcome = await signIn(pool, given, HERE, NOW);
  const secret = outcome.kind === "signed_in" ? outcome.secret : "";
  expect((await findSession(pool, secret, NOW))?.user.id).toBe(id);
});

test("a failed sign-in does not reveal whether the email or the password was wrong", async () => {
  const { email } = await createPerson(pool);
  const inputs = [
    { email, ...wrong },
    { email: "nobody@example.com", ...right },
    { email, password: PASSWORD.repeat(100) },
    { email },
    null,
    { email: { toString: () => email }, ...right },
  ];
  for (const input of inputs)
    expect(await signIn(pool, input, visitFrom("203.0.113.8"), NOW)).toEqual({
      kind: "refused",
    });
});

test("a refused sign-in is logged with the reason and account, but without email, password and IP address", async () => {
  const { email, id } = await createPerson(pool);
  const visit = visitFrom("203.0.113.77");
  const lines = await logLinesOf(async () => {
    await signIn(pool, { email: "typed@example.com", ...wrong }, visit, NOW);
    for (let count = 0; count < 6; count += 1)
      await signIn(pool, { email, ...wrong }, visit, NOW);
  });
  const network = expect.stringMatching(/^[0-9a-f]{16}$/);
  expect(lines[0]).toMatchObject({
    level: "warn",
    event: "sign_in.refused",
    reason: "unknown",
    network,
  });
  expect(lines[0]).not.toHaveProperty("account");
  const known = { event: "sign_in.refused", account: id, network: lines[0]?.["network"] };
  for (const line of lines.slice(1, 6))
    expect(line).toMatchObject({ ...known, reason: "password" });
  expect(lines[6]).toMatchObject({ event: "limit.reached", limits: ["account_here"] });
  expect(lines[7]).toMatchObject({ ...known, reason: "limit" });
  expect(lines).toHaveLength(8);
  expect(JSON.stringify(lines)).not.toMatch(/example\.com|203\.0|password"?:|wrong password/i);
});

test("after five wrong passwords the wait before the next attempt doubles with each attempt", async () => {
  for (const email of [(await createPerson(pool)).email, "nobody-there@example.com"]) {
    const visit = visitFrom("203.0.113.9");
    const trial = (at: number) => signIn(pool, { email, ...wrong }, visit, after(at));
    for (let count = 0; count < 5; count += 1)
      expect(await trial(0)).toEqual({ kind: "refused" });
    expect(await trial(0)).toEqual({ kind: "wait", seconds: 1 });
    expect(await trial(1)).toEqual({ kind: "refused" });
    expect(await trial(2)).toEqual({ kind: "wait", seconds: 1 });
    expect(await trial(3)).toEqual({ kind: "refused" });
    expect(await trial(3)).toEqual({ kind: "wait", seconds: 4 });
  }
});

test("no password is checked during the wait, and the right one afterwards resets the limit", async () => {
  const { email } = await createPerson(pool);
  const visit = visitFrom("203.0.113.10");
  for (let count = 0; count < 5; count += 1)
    await signIn(pool, { email, ...wrong }, visit, NOW);
  expect(await signIn(pool, { email, ...right }, visit, NOW)).toMatchObject({ kind: "wait" });
  await deviceOf(signIn(pool, { email, ...right }, visit, after(1)));
  expect(await signIn(pool, { email, ...wrong }, visit, after(1))).toEqual({ kind: "refused" });
});

test("of 1,000 password guesses in an hour from 1,000 networks at most 40 are checked", async () => {
  const { email } = await createPerson(pool);
  const device = await deviceOf(signIn(pool, { email, ...right }, HERE, NOW));
  let hashed = 0;
  for (let guess = 0; guess < 1_000; guess += 1) {
    const visit = visitFrom(`198.51.${guess >> 8}.${guess & 255}`);
    const outcome = await signIn(pool, { email, ...wrong }, visit, after(guess * 3.6));
    if (outcome.kind === "refused") hashed += 1;
  }
  expect(hashed).toBeGreaterThan(20);
  expect(hashed).toBeLessThanOrEqual(40);

  const late = after(3_600);
  const stranger = visitFrom("198.51.200.1");
  expect(await signIn(pool, { email, ...right }, stranger, late)).toMatchObject({
    kind: "wait",
  });
  const owner = visitFrom("198.51.200.2", { device });
  await expect(deviceOf(signIn(pool, { email, ...right }, owner, late))).resolves.toBe(device);
});

test("one network can try to sign in to 60 accounts, and must then wait", async () => {
  const visit = visitFrom("203.0.113.99");
  const trial = (count: number) =>
    signIn(pool, { email: `somebody${count}@example.com`, ...wrong }, visit, NOW);
  for (let count = 0; count < 60; count += 1)
    expect(await trial(count)).toEqual({ kind: "refused" });
  expect(await trial(60)).toEqual({ kind: "wait", seconds: 300 });
});

test("of twelve concurrent sign-in attempts five are checked", async () => {
  const { email } = await createPerson(pool);
  const trials = Array.from({ length: 12 }, () =>
    signIn(pool, { email, ...wrong }, visitFrom("203.0.113.11"), NOW),
  );
  const outcomes = (await Promise.all(trials)).map(({ kind }) => kind).sort();
  expect(outcomes).toEqual([...Array(5).fill("refused"), ...Array(7).fill("wait")]);
});

test("a new sign-in ends only the earlier session of the same browser", async () => {
  const { email } = await createPerson(pool);
  const secretOf = async (session: string | null) => {
    const outcome = await signIn(pool, { email, ...right }, { ...HERE, session }, NOW);
    return outcome.kind === "signed_in" ? outcome.secret : "";
  };
  const [before, elsewhere] = [await secretOf(null), await secretOf(null)];
  const after = await secretOf(before);
  expect(await findSession(pool, before, NOW)).toBeNull();
  for (const secret of [elsewhere, after])
    expect(await findSession(pool, secret, NOW)).not.toBeNull();
});

test("a device that is known for one account does not bypass the limit of another account", async () => {
  const [mine, other] = [await createPerson(pool), await createPerson(pool)];
  const device = await deviceOf(signIn(pool, { ...mine, ...right }, HERE, NOW));
  const attack = visitFrom("203.0.113.12", { device });
  for (let count = 0; count < 40; count += 1)
    await signIn(pool, { ...other, ...wrong }, attack, after(count * 300));
  const outcome = await signIn(pool, { ...other, ...right }, attack, after(40 * 300 - 299));
  expect(outcome).toMatchObject({ kind: "wait" });
});

test("a sign-in with an invented device cookie gets a new device cookie", async () => {
  const { email } = await createPerson(pool);
  const visit = visitFrom("203.0.113.13", { device: "made up" });
  expect(await deviceOf(signIn(pool, { email, ...right }, visit, NOW))).toMatch(/^[\w-]{43}$/);
});

test("the stored sign-in attempts contain no email and no IP address", async () => {
  await signIn(pool, { email: "typed@example.com", ...wrong }, visitFrom("203.0.113.14"), NOW);
  const { rows } = await pool.query<{ row: string }>(
    "select attempt::text as row from attempt",
  );
  expect(rows.map(({ row }) => row).join("\n")).not.toMatch(/typed|203\.0/);
});

/** Makes the change in a transaction, and commits it only once the sign-in waits for it. */
async function whileHeld<Outcome>(
  change: (client: pg.PoolClient) => Promise<unknown>,
  begin: () => Promise<Outcome>,
): Promise<Outcome> {
  const client = await pool.connect();
  await client.query("begin");
  await change(client);
  const outcome = begin();
  await untilBlocked(pool);
  await client.query("commit");
  client.release();
  return outcome;
}

test("a sign-in is refused if the password is changed while it is checked, and the new password stays", async () => {
  const { id, email } = await createPerson(pool);
  await pool.query("update app_user set password_hash = $2 where id = $1", [id, OUTDATED]);
  const changed = await hashPassword("another password");
  const outcome = await whileHeld(
    (client) =>
      client.query("update app_user set password_hash = $2 where id = $1", [id, changed]),
    () => signIn(pool, { email, ...right }, visitFrom("203.0.113.50"), NOW),
  );
  expect(outcome).toEqual({ kind: "refused" });
  const { rows } = await pool.query(
    `select password_hash, (select count(*)::int from session where user_id = app_user.id) as sessions,
            (select count(*)::int from known_device where user_id = app_user.id) as devices
       from app_user where id = $1`,
    [id],
  );
  expect(rows).toEqual([{ password_hash: changed, sessions: 0, devices: 0 }]);
});

test("a sign-in succeeds if another sign-in renews the password hash at the same time", async () => {
  const { id, email } = await createPerson(pool);
  await pool.query("update app_user set password_hash = $2 where id = $1", [id, OUTDATED]);
  const renewed = await hashPassword(right.password);
  const outcome = await whileHeld(
    (client) =>
      client.query("update app_user set password_hash = $2 where id = $1", [id, renewed]),
    () => signIn(pool, { email, ...right }, visitFrom("203.0.113.51"), NOW),
  );
  expect(outcome).toMatchObject({ kind: "signed_in" });
});

test("a second-factor code starts no session if the password is changed at the same time", async () => {
  const person = await createPerson(pool);
  const keys = [Buffer.alloc(32, 7)] as const;
  const begun = await beginSecondFactor(pool, person, keys);
  const app = new TOTP({ secret: Secret.fromBase32(begun?.secret ?? "") });
  const codeAt = (at: Date) => app.generate({ timestamp: at.getTime() });
  const given = { user_id: person.id, code: codeAt(NOW), keys };
  await confirmSecondFactor(pool, given, NOW);
  const visit = visitFrom("203.0.113.51");
  const first = await signIn(pool, { email: person.email, ...right }, visit, after(60));
  if (first.kind !== "second_factor") throw new Error(`no code is asked for: ${first.kind}`);
  const outcome = await whileHeld(
    async (client) => {
      const change = "update app_user set password_hash = 'new' where id = $1";
      await client.query(change, [person.id]);
      await client.query("delete from sign_in_challenge where user_id = $1", [person.id]);
    },
    () =>
      signInByCode(
        pool,
        { code: codeAt(after(60)) },
        { visit: { ...visit, challenge: first.challenge }, keys },
        after(60),
      ),
  );
  expect(outcome).toEqual({ kind: "expired" });
  const { rowCount } = await pool.query("select from session where user_id = $1", [person.id]);
  expect(rowCount).toBe(0);
});

test("a sign-in by a provider is refused if the provider's identity is unlinked at the same time", async () => {
  const { id, email } = await createPerson(pool);
  const claims = { issuer: "https://id.example", subject: "held", email, name: null };
  const given = { ...claims, email_verified: true };
  await linkIdentity(pool, given, { user_id: id, address: null }, NOW);
  const context = { visit: visitFrom("203.0.113.52"), callbackPath: "/" };
  const outcome = await whileHeld(
    async (client) => {
      await client.query("update app_user set password_hash = 'new' where id = $1", [id]);
      await client.query("delete from external_identity where user_id = $1", [id]);
    },
    () => signInByIdentity(pool, given, context, NOW),
  );
  expect(outcome).toEqual({ kind: "refused" });
});
