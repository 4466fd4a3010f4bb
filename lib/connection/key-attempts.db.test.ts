import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { stubEnvironment } from "#tools/testing/person.ts";
import type { KeyCheck } from "#lib/billing/key-check-result.ts";
import { limitRefusedKeys } from "./key-attempts.ts";

stubEnvironment();
useDashboardDatabase();
const NOW = new Date("2026-11-20T10:00:00Z");

const check = (user_id: string, kind: "good" | "refused" | "troubled", at = NOW) =>
  limitRefusedKeys(pool, user_id, at, async (): Promise<KeyCheck> => ({ kind }));

test("a user must wait after five refused API keys, but other users need not", async () => {
  const [user, other] = [crypto.randomUUID(), crypto.randomUUID()];
  await Promise.all(Array.from({ length: 5 }, () => check(user, "refused")));
  await expect(check(user, "refused")).rejects.toThrow("conflict");
  await expect(check(user, "good")).rejects.toThrow("conflict");
  await expect(check(other, "refused")).resolves.toEqual({ kind: "refused" });
  const later = new Date(NOW.getTime() + 60_000);
  await expect(check(user, "good", later)).resolves.toEqual({ kind: "good" });
});

test("a failing billing service does not count as a refused API key", async () => {
  const user_id = crypto.randomUUID();
  for (let count = 0; count < 8; count += 1) await check(user_id, "troubled");
  await expect(check(user_id, "good")).resolves.toEqual({ kind: "good" });
});
