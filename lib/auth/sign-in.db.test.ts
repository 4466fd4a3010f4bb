import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#scripts/testing/dashboard.ts";
import { linesOf } from "#scripts/testing/log.ts";
import { createPerson, PASSWORD, stubEnvironment, visitFrom } from "#scripts/testing/person.ts";
import { findSession } from "./session.ts";
import { signIn, type SignInOutcome } from "./sign-in.ts";

stubEnvironment();
useDashboardDatabase();
const NOW = new Date("2026-11-20T10:00:00Z");
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const HERE = visitFrom("203.0.113.7");

const wrong = { password: "wrong password" };
const right = { password: PASSWORD };

/** @returns what a browser keeps of a sign-in */
async function deviceOf(outcome: Promise<SignInOutcome>) {
  const result = await outcome;
  if (result.kind !== "signed_in") throw new Error(`not signed in: ${result.kind}`);
  return result.device;
}

test("signing in makes a session, whatever the case of the email", async () => {
  const { email, id } = await createPerson(pool);
  const given = { email: ` ${email.toUpperCase()} `, ...right };
  const outcome = await signIn(pool, given, HERE, NOW);
  const secret = outcome.kind === "signed_in" ? outcome.secret : "";
  expect((await findSession(pool, secret, NOW))?.user.id).toBe(id);
});

test("signing in tells nothing of what was wrong", async () => {
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

test("a refused sign-in is a line of the log: why, whose account, and nothing that was typed", async () => {
  const { email, id } = await createPerson(pool);
  const visit = visitFrom("203.0.113.77");
  const lines = await linesOf(async () => {
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

test("after five tries each further one waits twice as long as the one before", async () => {
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

test("the right password is not looked at before the wait is over, and then ends it", async () => {
  const { email } = await createPerson(pool);
  const visit = visitFrom("203.0.113.10");
  for (let count = 0; count < 5; count += 1)
    await signIn(pool, { email, ...wrong }, visit, NOW);
  expect(await signIn(pool, { email, ...right }, visit, NOW)).toMatchObject({ kind: "wait" });
  await deviceOf(signIn(pool, { email, ...right }, visit, after(1)));
  expect(await signIn(pool, { email, ...wrong }, visit, after(1))).toEqual({ kind: "refused" });
});

test("of a thousand guesses from as many networks at most 40 an hour are hashed", async () => {
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

test("one network may not go through many accounts", async () => {
  const visit = visitFrom("203.0.113.99");
  const trial = (count: number) =>
    signIn(pool, { email: `somebody${count}@example.com`, ...wrong }, visit, NOW);
  for (let count = 0; count < 60; count += 1)
    expect(await trial(count)).toEqual({ kind: "refused" });
  expect(await trial(60)).toEqual({ kind: "wait", seconds: 300 });
});

test("tries at the same moment are counted one by one", async () => {
  const { email } = await createPerson(pool);
  const trials = Array.from({ length: 12 }, () =>
    signIn(pool, { email, ...wrong }, visitFrom("203.0.113.11"), NOW),
  );
  const outcomes = (await Promise.all(trials)).map(({ kind }) => kind).sort();
  expect(outcomes).toEqual([...Array(5).fill("refused"), ...Array(7).fill("wait")]);
});

test("signing in again ends the session that this browser had, and no other", async () => {
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

test("a device is known to the accounts that used it, and to no other", async () => {
  const [mine, other] = [await createPerson(pool), await createPerson(pool)];
  const device = await deviceOf(signIn(pool, { ...mine, ...right }, HERE, NOW));
  const attack = visitFrom("203.0.113.12", { device });
  for (let count = 0; count < 40; count += 1)
    await signIn(pool, { ...other, ...wrong }, attack, after(count * 300));
  const outcome = await signIn(pool, { ...other, ...right }, attack, after(40 * 300 - 299));
  expect(outcome).toMatchObject({ kind: "wait" });
});

test("a device cookie that somebody made up is replaced", async () => {
  const { email } = await createPerson(pool);
  const visit = visitFrom("203.0.113.13", { device: "made up" });
  expect(await deviceOf(signIn(pool, { email, ...right }, visit, NOW))).toMatch(/^[\w-]{43}$/);
});

test("the table of tries names nobody", async () => {
  await signIn(pool, { email: "typed@example.com", ...wrong }, visitFrom("203.0.113.14"), NOW);
  const { rows } = await pool.query<{ row: string }>(
    "select attempt::text as row from attempt",
  );
  expect(rows.map(({ row }) => row).join("\n")).not.toMatch(/typed|203\.0/);
});
