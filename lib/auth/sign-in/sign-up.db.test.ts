import { expect, test } from "vitest";
import { failureOf } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createPerson, PASSWORD, stubEnvironment, visitFrom } from "#tools/testing/person.ts";
import { confirmPerson } from "#lib/auth/guards/confirm-person.ts";
import { signInByIdentity } from "./identity.ts";
import { createInvitation } from "./invitation.ts";
import { canSignUp, signUp } from "./sign-up.ts";
import { createSession, findSession } from "#lib/auth/sessions/session.ts";

stubEnvironment({ SIGN_UP: "invitation" });
useDashboardDatabase();
const NOW = new Date("2026-11-20T10:00:00Z");
const after = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => failureOf(error),
  );

async function invite() {
  const { id } = await createPerson(pool);
  const { rows } = await pool.query<{ seller_id: string }>(
    `with s as (insert into seller (name, time_zone) values ('Phewa', 'UTC') returning id)
     insert into membership (user_id, seller_id, role) select $1, id, 'owner' from s
     returning seller_id`,
    [id],
  );
  const seller_id = rows[0]?.seller_id ?? "";
  const invitation = { seller_id, by: id, role: "support", for_whom: null } as const;
  return (await createInvitation(pool, invitation, NOW)).token;
}

const invitedPath = async () => `/invitation/${await invite()}`;
const given = { name: "Asha", password: "four words of hers", address: null };

test("only the path of an open invitation allows a sign-up if sign-ups need an invitation", async () => {
  const token = await invite();
  await expect(canSignUp(pool, `/invitation/${token}`, NOW)).resolves.toBe(true);
  for (const path of ["/", "/invitation/made-up", `/invitation/${token}/more`, `/x/${token}`])
    await expect(canSignUp(pool, path, NOW)).resolves.toBe(false);
  await expect(canSignUp(pool, `/invitation/${token}`, after(8 * 1440))).resolves.toBe(false);
});

test("an invitation creates only one account, even if several people use it at once", async () => {
  const callbackPath = await invitedPath();
  const come = (name: string) =>
    failure(signUp(pool, { ...given, email: `${name}@example.com`, callbackPath }, NOW));
  const through = (subject: string) =>
    signInByIdentity(
      pool,
      {
        issuer: "https://id.example",
        subject,
        email: `${subject}@example.com`,
        email_verified: true,
        name: "Asha",
      },
      { visit: visitFrom(null), callbackPath },
      NOW,
    );
  const [together, byProvider] = [
    await Promise.all(["one", "two", "three"].map(come)),
    await through("four"),
  ];
  expect(together.filter((one) => one === null)).toHaveLength(1);
  for (const one of together.filter((failed) => failed !== null))
    expect(one).toMatchObject({ kind: "forbidden" });
  expect(byProvider).toEqual({ kind: "refused", why: "NotInvited" });
  await expect(come("five")).resolves.toMatchObject({ kind: "forbidden" });
  await expect(canSignUp(pool, callbackPath, NOW)).resolves.toBe(false);
  const { rowCount } = await pool.query("select 1 from app_user where email = any ($1)", [
    ["one", "two", "three", "four", "five"].map((name) => `${name}@example.com`),
  ]);
  expect(rowCount).toBe(1);
});

test("an invitation can still be used after a password was rejected", async () => {
  const callbackPath = await invitedPath();
  const come = (password: string) =>
    failure(signUp(pool, { ...given, email: "late@example.com", password, callbackPath }, NOW));
  await expect(come("password")).resolves.toMatchObject({ kind: "validation" });
  await expect(come(given.password)).resolves.toBeNull();
});

test("of three concurrent sign-ups with one email only one creates an account", async () => {
  const emails = ["Same@example.com", "same@example.com", "SAME@EXAMPLE.COM"];
  const invited = await Promise.all(
    emails.map(async (email) => ({ ...given, email, callbackPath: await invitedPath() })),
  );
  const outcomes = await Promise.all(invited.map((one) => failure(signUp(pool, one, NOW))));
  expect(outcomes.filter((one) => one === null)).toHaveLength(1);
  expect(outcomes.find((one) => one !== null)).toMatchObject({
    fields: { email: ["auth.knownEmail"] },
  });
});

test("an invited person's password must not be the name of the inviting seller", async () => {
  const invited = {
    ...given,
    email: "invited@example.com",
    callbackPath: await invitedPath(),
  };
  const named = failure(signUp(pool, { ...invited, password: "phewa-2026" }, NOW));
  await expect(named).resolves.toMatchObject({
    fields: { password: ["fields.password.holdsName"] },
  });
  const other = failure(signUp(pool, invited, NOW));
  await expect(other).resolves.toBeNull();
});

test("a user is not confirmed by a wrong password, and must wait after five wrong passwords", async () => {
  const { id } = await createPerson(pool);
  const secret = await createSession(pool, { user_id: id }, NOW);
  const session = await findSession(pool, secret, NOW);
  if (!session) throw new Error("no session");
  const visit = visitFrom("203.0.113.7");
  const confirm = (password: string) =>
    failure(confirmPerson(pool, { session, password, visit }, NOW));
  await expect(confirm(PASSWORD)).resolves.toBeNull();
  for (let count = 0; count < 5; count += 1)
    await expect(confirm("a guess")).resolves.toMatchObject({
      fields: { current_password: ["auth.notYourPassword"] },
    });
  await expect(confirm(PASSWORD)).resolves.toMatchObject({
    fields: { current_password: [message("failures.tries", { unit: "seconds", count: 1 })] },
  });
});

test("a user without a password is confirmed if the sign-in was less than 15 minutes ago", async () => {
  const { id } = await createPerson(pool);
  await pool.query("update app_user set password_hash = null where id = $1", [id]);
  const session = await findSession(pool, await createSession(pool, { user_id: id }, NOW), NOW);
  if (!session) throw new Error("no session");
  const confirm = (at: Date) =>
    failure(confirmPerson(pool, { session, password: "", visit: visitFrom(null) }, at));
  await expect(confirm(after(14))).resolves.toBeNull();
  await expect(confirm(after(15))).resolves.toMatchObject({ kind: "validation" });
});
