import { expect, test } from "vitest";
import { failureOf } from "#lib/failure.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createPerson, stubEnvironment } from "#tools/testing/person.ts";
import { createResetPath, isResetOpen } from "#lib/auth/credentials/password-reset.ts";
import { createSession, findSession } from "#lib/auth/sessions/session.ts";
import { isKnownDevice, rememberDevice } from "#lib/auth/sessions/known-device.ts";
import { changeEmail, changePassword } from "#lib/account/store.ts";

stubEnvironment();
useDashboardDatabase();
const NOW = new Date("2026-11-20T10:00:00Z");
const address = null;

async function begin() {
  const person = await createPerson(pool);
  const path = await createResetPath(pool, person.email, NOW);
  const isOpen = () => isResetOpen(pool, path?.split("/").at(-1) ?? "", NOW);
  const change = (email: string) =>
    changeEmail(pool, { user_id: person.id, email, address }, NOW).then(
      () => "done",
      (error: unknown) => failureOf(error).kind,
    );
  return { ...person, isOpen, change };
}

test("a new password ends other sessions, mailed reset links and sign-ins that wait for a second-factor code", async () => {
  const { id: user_id, isOpen } = await begin();
  const [own, other] = [
    await createSession(pool, { user_id }, NOW),
    await createSession(pool, { user_id }, NOW),
  ];
  await pool.query(
    "insert into sign_in_challenge (id, user_id, expires_at) values (sha256('x'), $1, $2)",
    [user_id, new Date(NOW.getTime() + 60_000)],
  );
  const session = (await findSession(pool, own, NOW))?.id ?? Buffer.alloc(32);
  const given = { user_id, password_hash: "new", session, address };
  await expect(changePassword(pool, given, NOW)).resolves.toMatchObject({ ended: 1 });
  await expect(findSession(pool, own, NOW)).resolves.not.toBeNull();
  await expect(findSession(pool, other, NOW)).resolves.toBeNull();
  await expect(isOpen()).resolves.toBe(false);
  const { rowCount } = await pool.query("select 1 from sign_in_challenge where user_id = $1", [
    user_id,
  ]);
  expect(rowCount).toBe(0);
});

test("after a new password only the current browser is a known device", async () => {
  const { id: user_id } = await begin();
  const known = (device: string) => isKnownDevice(pool, { user_id, device }, NOW);
  const [stolen, own] = [
    await rememberDevice(pool, { user_id, device: null }, NOW),
    await rememberDevice(pool, { user_id, device: null }, NOW),
  ];
  expect([await known(stolen), await known(own)]).toEqual([true, true]);
  const secret = await createSession(pool, { user_id }, NOW);
  const session = (await findSession(pool, secret, NOW))?.id ?? Buffer.alloc(32);
  const given = { user_id, password_hash: "new", session, address };
  const { device } = await changePassword(pool, given, NOW);
  expect([await known(stolen), await known(own), await known(device)]).toEqual([
    false,
    false,
    true,
  ]);
});

test("a new email makes reset links that were mailed to the old email invalid", async () => {
  const { isOpen, change } = await begin();
  await expect(change("moved@example.com")).resolves.toBe("done");
  await expect(isOpen()).resolves.toBe(false);
});

test("if two users change to the same email at once, one gets the email and the other an error", async () => {
  const [first, second] = [await begin(), await begin()];
  const outcomes = await Promise.all([
    first.change("a@example.com"),
    second.change("A@example.com"),
  ]);
  expect(outcomes.sort()).toEqual(["done", "validation"]);
  await expect(first.change(first.email.toLowerCase())).resolves.toBe("done");
});

test("after 20 attempts to change to used emails, a change to a free email is refused too", async () => {
  const [{ email }, { change }] = [await begin(), await begin()];
  for (let count = 0; count < 20; count += 1)
    await expect(change(email)).resolves.toBe("validation");
  await expect(change("free@example.com")).resolves.toBe("validation");
});
