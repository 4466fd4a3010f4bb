import { expect, test } from "vitest";
import { failureOf } from "#lib/failure.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createPerson, PASSWORD, stubEnvironment, visitFrom } from "#tools/testing/person.ts";
import { isKnownDevice, rememberDevice } from "#lib/auth/sessions/known-device.ts";
import {
  createMailedResetPath,
  createResetPath,
  isResetOpen,
  resetLanguageOf,
  resetPassword,
} from "./password-reset.ts";
import { PUBLISHED_PASSWORD } from "#lib/auth/sessions/published-password.ts";
import { isSecondFactorOn } from "./second-factor.ts";
import { createSession, findSession } from "#lib/auth/sessions/session.ts";
import { signIn } from "#lib/auth/sign-in/sign-in.ts";

stubEnvironment();
useDashboardDatabase();
const NOW = new Date("2026-11-20T10:00:00Z");
const after = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const password = "four other words here";

async function begin() {
  const person = await createPerson(pool);
  const path = await createResetPath(pool, ` ${person.email.toUpperCase()} `, NOW);
  return { ...person, token: path?.split("/").at(-1) ?? "" };
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => failureOf(error).kind,
  );

test("a password reset link works once, and its use ends all sessions", async () => {
  const { id, email, token } = await begin();
  const session = await createSession(pool, { user_id: id }, NOW);
  const given = { token, password, address: null };
  await resetPassword(pool, given, after(1));
  await expect(findSession(pool, session, after(1))).resolves.toBeNull();
  const visit = visitFrom("203.0.113.7");
  await expect(signIn(pool, { email, password }, visit, after(1))).resolves.toMatchObject({
    kind: "signed_in",
  });
  await expect(signIn(pool, { email, password: PASSWORD }, visit, after(1))).resolves.toEqual({
    kind: "refused",
  });
  await expect(refusal(resetPassword(pool, given, after(1)))).resolves.toBe("not_found");
});

test("an account gets at most ten password reset links a day, in whatever spelling the email is typed", async () => {
  const { email } = await createPerson(pool);
  const other = await createPerson(pool);
  const spellings = [email, ` ${email}`, email.toUpperCase(), `${email} `];
  let mailed = 0;
  for (let minute = 0; minute < 24 * 60; minute += 5) {
    const spelled = spellings[(minute / 5) % spellings.length] ?? email;
    if (await createMailedResetPath(pool, spelled, after(minute))) mailed += 1;
  }
  expect(mailed).toBe(10);
  await expect(createMailedResetPath(pool, other.email, after(1_439))).resolves.not.toBeNull();
  await expect(createMailedResetPath(pool, "nobody@example.com", NOW)).resolves.toBeNull();
});

test("of two concurrent uses of a password reset link only one sets the password", async () => {
  const { token } = await begin();
  const outcomes = await Promise.all(
    ["one of the words", "two of the words"].map((chosen) =>
      refusal(resetPassword(pool, { token, password: chosen, address: null }, NOW)),
    ),
  );
  expect(outcomes.sort()).toEqual(["done", "not_found"]);
});

test("a password reset link expires after an hour, and an invented token is rejected", async () => {
  const { token } = await begin();
  await expect(isResetOpen(pool, token, after(59))).resolves.toBe(true);
  await expect(isResetOpen(pool, token, after(60))).resolves.toBe(false);
  await expect(isResetOpen(pool, "made-up", NOW)).resolves.toBe(false);
  const late = resetPassword(pool, { token, password, address: null }, after(60));
  await expect(refusal(late)).resolves.toBe("not_found");
});

test("a password reset link can still be used after a new password was rejected", async () => {
  const { token, email } = await begin();
  for (const poor of [
    "short",
    "iloveyou1",
    PUBLISHED_PASSWORD,
    `${email.split("@")[0] ?? ""}-1`,
  ])
    await expect(
      refusal(resetPassword(pool, { token, password: poor, address: null }, NOW)),
    ).resolves.toBe("validation");
  await expect(isResetOpen(pool, token, NOW)).resolves.toBe(true);
});

test("a password reset does not turn off the second factor", async () => {
  const { id, token } = await begin();
  await pool.query(
    "insert into second_factor (user_id, sealed_secret, key_id, confirmed_at) values ($1, '', '', $2)",
    [id, NOW],
  );
  await resetPassword(pool, { token, password, address: null }, NOW);
  await expect(isSecondFactorOn(pool, id)).resolves.toBe(true);
});

test("a password reset unlinks the sign-in provider that was linked to the account before", async () => {
  const { id, token } = await begin();
  await pool.query(
    `insert into external_identity (issuer, subject, user_id, linked_at)
     values ('https://id.example', 'squatter', $1, $2)`,
    [id, NOW],
  );
  await resetPassword(pool, { token, password, address: null }, after(1));
  const { rowCount } = await pool.query("select 1 from external_identity where user_id = $1", [
    id,
  ]);
  expect(rowCount).toBe(0);
});

test("an unknown email gets no password reset link, and the database does not contain the token of a link", async () => {
  await expect(createResetPath(pool, "nobody@example.com", NOW)).resolves.toBeNull();
  const { token } = await begin();
  const { rows } = await pool.query<{ row: string }>(
    "select r::text as row from password_reset r",
  );
  expect(rows.map(({ row }) => row).join("\n")).not.toContain(token);
});

test("during a guessing attack an owner can sign in from the browser in which they reset the password", async () => {
  const { id, email, token } = await begin();
  for (let count = 0; count < 40; count += 1)
    await signIn(
      pool,
      { email, password: "guess" },
      visitFrom(`198.51.100.${count}`),
      after(1),
    );
  const { device } = await resetPassword(pool, { token, password, address: null }, after(1));
  const home = visitFrom("203.0.113.8", { device });
  await expect(
    signIn(pool, { email, password }, visitFrom("203.0.113.8"), after(1)),
  ).resolves.toMatchObject({ kind: "wait" });
  await expect(signIn(pool, { email, password }, home, after(1))).resolves.toMatchObject({
    kind: "signed_in",
  });
  const { rowCount } = await pool.query("select 1 from known_device where user_id = $1", [id]);
  expect(rowCount).toBe(1);
});

test("after a password reset only the browser that reset the password is a known device", async () => {
  const { id: user_id, token } = await begin();
  const stolen = await rememberDevice(pool, { user_id, device: null }, NOW);
  const { device } = await resetPassword(pool, { token, password, address: null }, NOW);
  expect(await isKnownDevice(pool, { user_id, device: stolen }, NOW)).toBe(false);
  expect(await isKnownDevice(pool, { user_id, device }, NOW)).toBe(true);
});

test("the language of the password reset mail is the language saved in the account", async () => {
  const { id, email } = await createPerson(pool);
  await expect(resetLanguageOf(pool, email)).resolves.toBeNull();
  await pool.query("update app_user set language = 'ne' where id = $1", [id]);
  await expect(resetLanguageOf(pool, ` ${email.toUpperCase()} `)).resolves.toBe("ne");
  await expect(resetLanguageOf(pool, "nobody@example.com")).resolves.toBeNull();
});

test("a password reset rejects a password that is the name of the product or of the user's sellers", async () => {
  const { id, token } = await begin();
  await pool.query(
    `with s as (insert into seller (name, time_zone) values ('Annapurna Water', 'UTC') returning id)
     insert into membership (user_id, seller_id, role) select $1, id, 'viewer' from s`,
    [id],
  );
  for (const poor of ["Duebook 2026!", "annapurna-water-1", "Water-20-26"])
    await expect(
      refusal(resetPassword(pool, { token, password: poor, address: null }, NOW)),
    ).resolves.toBe("validation");
  await expect(
    refusal(resetPassword(pool, { token, password: "everest by night", address: null }, NOW)),
  ).resolves.toBe("done");
});
