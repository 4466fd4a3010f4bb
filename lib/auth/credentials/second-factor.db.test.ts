import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { rotateKeys } from "./key-rotation.ts";
import { createPerson, PASSWORD, stubEnvironment, visitFrom } from "#tools/testing/person.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  isSecondFactorOn,
  renewRecoveryCodes,
  consumeSecondFactorCode,
} from "./second-factor.ts";
import { findSession } from "#lib/auth/sessions/session.ts";
import { checkCode, signInByCode } from "#lib/auth/sign-in/sign-in-code.ts";
import { signIn } from "#lib/auth/sign-in/sign-in.ts";

stubEnvironment();
useDashboardDatabase();
const NOW = new Date("2026-11-20T10:00:10Z");
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const keys = [Buffer.alloc(32, 7)] as const;

async function begin() {
  const person = await createPerson(pool);
  const begun = await beginSecondFactor(pool, person, keys);
  if (!begun) throw new Error("the second factor was on already");
  const app = new TOTP({ secret: Secret.fromBase32(begun.secret) });
  const codeAt = (at: Date) => app.generate({ timestamp: at.getTime() });
  return { person, user_id: person.id, codeAt, ...begun };
}

async function setUp() {
  const begun = await begin();
  const given = { user_id: begun.user_id, code: begun.codeAt(NOW), keys };
  const recovery = await confirmSecondFactor(pool, given, NOW);
  if (!recovery) throw new Error("the code was refused");
  const take = (code: string, at: Date) =>
    consumeSecondFactorCode(pool, { ...given, code }, at);
  return { ...begun, recovery, take };
}

/** Signs in up to the second step, in a new browser. */
async function challenge({ email }: { email: string }, at = NOW) {
  const outcome = await signIn(
    pool,
    { email, password: PASSWORD },
    visitFrom("203.0.113.7"),
    at,
  );
  if (outcome.kind !== "second_factor")
    throw new Error(`no code is asked for: ${outcome.kind}`);
  return visitFrom("203.0.113.7", { challenge: outcome.challenge });
}

test("the second factor is off until one of its codes is confirmed", async () => {
  const { person, user_id, codeAt } = await begin();
  await expect(isSecondFactorOn(pool, user_id)).resolves.toBe(false);
  const wrong = { user_id, code: codeAt(after(3_600)), keys };
  await expect(confirmSecondFactor(pool, wrong, NOW)).resolves.toBeNull();
  const outcome = await signIn(
    pool,
    { ...person, password: PASSWORD },
    visitFrom("203.0.113.8"),
    NOW,
  );
  expect(outcome.kind).toBe("signed_in");
});

test("a second factor that is on cannot be set up again", async () => {
  const { person } = await setUp();
  await expect(beginSecondFactor(pool, person, keys)).resolves.toBeNull();
});

test("confirming a second factor that is already on does not change its recovery codes", async () => {
  const { user_id, codeAt, recovery, take } = await setUp();
  const later = after(120);
  const given = { user_id, code: codeAt(later), keys };
  await expect(confirmSecondFactor(pool, given, later)).resolves.toBeNull();
  await expect(take(recovery[0] ?? "", later)).resolves.toBe("recovery");
  await expect(take(codeAt(later), later)).resolves.toBe("app");
});

test("after five wrong codes during the setup of a second factor, further codes are refused", async () => {
  const { user_id } = await begin();
  const guess = () => confirmSecondFactor(pool, { user_id, code: "000000", keys }, NOW);
  for (let count = 0; count < 5; count += 1) await expect(guess()).resolves.toBeNull();
  await expect(guess()).rejects.toThrow("validation");
});

test("a code is accepted once, up to 30 seconds early or late, and only if newer than the last accepted code", async () => {
  const { take, codeAt } = await setUp();
  const later = after(300);
  await expect(take(codeAt(after(240)), later)).resolves.toBeNull();
  await expect(take(codeAt(after(270)), later)).resolves.toBe("app");
  await expect(take(codeAt(after(270)), later)).resolves.toBeNull();
  await expect(take(codeAt(after(330)), later)).resolves.toBe("app");
  await expect(take(codeAt(later), later)).resolves.toBeNull();
});

test("a code that is sent eight times at once is accepted once", async () => {
  const { take, codeAt } = await setUp();
  const later = after(600);
  const taken = await Promise.all(Array.from({ length: 8 }, () => take(codeAt(later), later)));
  expect(taken.filter((one) => one === "app")).toHaveLength(1);
});

test("a recovery code works once, in any spelling, only for its owner and until the recovery codes are renewed", async () => {
  const [mine, others] = [await setUp(), await setUp()];
  const [first = "", second = ""] = mine.recovery;
  expect(mine.recovery).toHaveLength(10);
  // A character has 5 bits. A code of at least 112 bits needs only a plain hash.
  expect(first.replaceAll("-", "").length * 5).toBeGreaterThanOrEqual(112);
  await expect(others.take(first, NOW)).resolves.toBeNull();
  await expect(mine.take(first.toLowerCase().replaceAll("-", " "), NOW)).resolves.toBe(
    "recovery",
  );
  await expect(mine.take(first, NOW)).resolves.toBeNull();
  await renewRecoveryCodes(pool, mine.user_id);
  await expect(mine.take(second, NOW)).resolves.toBeNull();
});

test("the database contains no readable second-factor secret or recovery code", async () => {
  const { secret, recovery } = await setUp();
  const { rows } = await pool.query<{ row: string }>(
    `select s::text as row from second_factor s union all select r::text from recovery_code r`,
  );
  const hex = (text: string) => Buffer.from(text).toString("hex");
  const dump = rows.map(({ row }) => row).join("\n");
  for (const text of [secret, ...recovery]) {
    expect(dump).not.toContain(text);
    expect(dump).not.toContain(hex(text));
  }
});

test("no code is accepted if a stored second-factor secret was changed or copied from another account", async () => {
  const [mine, thief] = [await setUp(), await setUp()];
  await pool.query(
    `update second_factor set sealed_secret =
       (select sealed_secret from second_factor where user_id = $2) where user_id = $1`,
    [thief.user_id, mine.user_id],
  );
  const later = after(900);
  await expect(thief.take(mine.codeAt(later), later)).resolves.toBeNull();
  await pool.query(
    `update second_factor set sealed_secret = set_byte(sealed_secret, 20,
       get_byte(sealed_secret, 20) # 1) where user_id = $1`,
    [mine.user_id],
  );
  await expect(mine.take(mine.codeAt(later), later)).resolves.toBeNull();
});

test("after a key rotation second-factor secrets are readable without the old encryption key", async () => {
  const { user_id, codeAt } = await setUp();
  const fresh = Buffer.alloc(32, 9);
  await rotateKeys(pool, "second_factors", [fresh, keys[0]]);
  await expect(rotateKeys(pool, "second_factors", [fresh, keys[0]])).resolves.toMatchObject({
    rewrapped: 0,
  });
  const later = after(60);
  const code = codeAt(later);
  await expect(
    consumeSecondFactorCode(pool, { user_id, code, keys: [fresh] }, later),
  ).resolves.toBe("app");
});

test("with a second factor a session starts only after the code is entered in the same browser as the password", async () => {
  const { person, user_id, codeAt } = await setUp();
  const visit = await challenge(person);
  const code = codeAt(after(60));
  const elsewhere = { visit: visitFrom("203.0.113.9", { challenge: "made up" }), keys };
  await expect(signInByCode(pool, { code }, elsewhere, after(60))).resolves.toEqual({
    kind: "expired",
  });
  const outcome = await signInByCode(pool, { code }, { visit, keys }, after(60));
  const secret = outcome.kind === "signed_in" ? outcome.secret : "";
  expect((await findSession(pool, secret, after(60)))?.user.id).toBe(user_id);
  await expect(signInByCode(pool, { code }, { visit, keys }, after(90))).resolves.toEqual({
    kind: "expired",
  });
});

test("a sign-in expires if the second-factor code is entered more than ten minutes after the password", async () => {
  const { person, codeAt } = await setUp();
  const visit = await challenge(person);
  const late = after(601);
  await expect(
    signInByCode(pool, { code: codeAt(late) }, { visit, keys }, late),
  ).resolves.toEqual({ kind: "expired" });
});

test("an attacker who knows the password can try at most 45 second-factor codes a day", async () => {
  const { user_id } = await setUp();
  const given = { user_id, code: "000000", visit: visitFrom("203.0.113.7"), keys };
  let tries = 0;
  for (let minute = 0; minute < 24 * 60; minute += 5) {
    const outcome = await checkCode(pool, given, after(minute * 60));
    if (outcome !== "taken" && outcome.kind === "refused") tries += 1;
  }
  expect(tries).toBeLessThanOrEqual(45);
});
