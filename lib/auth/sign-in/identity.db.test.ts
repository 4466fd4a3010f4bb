import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createPerson, stubEnvironment, visitFrom } from "#tools/testing/person.ts";
import {
  type Claims,
  linkIdentity,
  signInByIdentity,
  startLinking,
  consumeLinkRequest,
  unlinkIdentity,
} from "./identity.ts";
import { createSession, findSession } from "#lib/auth/sessions/session.ts";

stubEnvironment();
useDashboardDatabase();
const NOW = new Date("2026-11-20T10:00:00Z");
const context = { visit: visitFrom("203.0.113.7"), callbackPath: "/" };

let made = 0;

function claims(changes: Partial<Claims> = {}): Claims {
  made += 1;
  return {
    issuer: "https://id.example",
    subject: `subject-${made}`,
    email: `comer${made}@example.com`,
    email_verified: true,
    name: "Asha",
    ...changes,
  };
}

async function whoIs(given: Claims) {
  const outcome = await signInByIdentity(pool, given, context, NOW);
  if (outcome.kind !== "signed_in") return outcome;
  return (await findSession(pool, outcome.secret, NOW))?.user.id;
}

test("direction marks and control characters are removed from the name that a sign-in provider gives", async () => {
  for (const [name, shown] of [
    ["Asha\u202eiaR\n", "AshaiaR"],
    ["\u0000", /^comer\d+@example\.com$/],
  ] as const) {
    const id = await whoIs(claims({ name }));
    const { rows } = await pool.query("select name from app_user where id = $1", [id]);
    expect(rows).toEqual([{ name: expect.stringMatching(shown) }]);
  }
});

test("a first sign-in by a provider creates an account, which later sign-ins find by issuer and subject", async () => {
  const given = claims();
  const id = await whoIs(given);
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  await expect(whoIs({ ...given, email: "changed@example.com" })).resolves.toBe(id);
  const other = { ...given, issuer: "https://other.example", email: "b@example.com" };
  await expect(whoIs(other)).resolves.not.toBe(id);
});

test("a sign-in by a provider is refused if its email belongs to an existing account", async () => {
  const { email } = await createPerson(pool);
  const refused = { kind: "refused", why: "KnownEmail" };
  await expect(whoIs(claims({ email: email.toUpperCase() }))).resolves.toEqual(refused);
});

test.each([
  [{ email_verified: false }, "NoEmail"],
  [{ email: null }, "NoEmail"],
])("a sign-in by a provider is refused if the claims contain %o", async (changes, why) => {
  await expect(whoIs(claims(changes))).resolves.toEqual({ kind: "refused", why });
});

test("a user can link and unlink a provider's identity that is not linked to another account", async () => {
  const [mine, other] = [await createPerson(pool), await createPerson(pool)];
  const given = claims();
  const link = (user_id: string) => linkIdentity(pool, given, { user_id, address: null }, NOW);
  await expect(link(mine.id)).resolves.toBe(true);
  await expect(link(mine.id)).resolves.toBe(true);
  await expect(link(other.id)).resolves.toBe(false);
  await expect(whoIs(given)).resolves.toBe(mine.id);
  const wrong = { issuer: given.issuer, subject: given.subject, user_id: other.id };
  await expect(unlinkIdentity(pool, wrong)).resolves.toBe(false);
  await expect(unlinkIdentity(pool, { ...wrong, user_id: mine.id })).resolves.toBe(true);
});

test("a session can link a provider only after a request to link, once and within ten minutes", async () => {
  const { id } = await createPerson(pool);
  const secret = await createSession(pool, { user_id: id }, NOW);
  const session = await findSession(pool, secret, NOW);
  if (!session) throw new Error("no session");
  await expect(consumeLinkRequest(pool, secret, NOW)).resolves.toBeNull();
  await startLinking(pool, session, NOW);
  await expect(consumeLinkRequest(pool, secret, NOW)).resolves.toEqual({ user_id: id, secret });
  await expect(consumeLinkRequest(pool, secret, NOW)).resolves.toBeNull();
  await startLinking(pool, session, NOW);
  const late = new Date(NOW.getTime() + 601_000);
  await expect(consumeLinkRequest(pool, secret, late)).resolves.toBeNull();
});
