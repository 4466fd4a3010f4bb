import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createPerson, PASSWORD, stubEnvironment, visitFrom } from "#tools/testing/person.ts";
import { listAccountEvents } from "#lib/auth/credentials/account-event.ts";
import { confirmPerson } from "./confirm-person.ts";
import { createSession, findSession } from "#lib/auth/sessions/session.ts";

stubEnvironment();
useDashboardDatabase();
const NOW = new Date("2026-11-20T10:00:00Z");
const visit = visitFrom("203.0.113.7");

test("of eight wrong passwords typed in a session, five are checked and listed in the account's activity", async () => {
  const { id: user_id } = await createPerson(pool);
  const session = await findSession(pool, await createSession(pool, { user_id }, NOW), NOW);
  if (!session) throw new Error("there is no session");
  const confirm = (password: string) => confirmPerson(pool, { session, password, visit }, NOW);
  await confirm(PASSWORD);
  for (let count = 0; count < 8; count += 1)
    await expect(confirm("wrong password")).rejects.toThrow("validation");
  const event = { kind: "password.refused", address: visit.address };
  expect(await listAccountEvents(pool, user_id)).toEqual(
    Array(5).fill(expect.objectContaining(event)),
  );
});
