import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { stubEnvironment } from "#tools/testing/person.ts";
import type { KeyCheck } from "#lib/billing/key-check-result.ts";
import { limitRefusedKeys } from "./key-attempts.ts";

stubEnvironment();
useDashboardDatabase();
const NOW = new Date("2026-11-20T10:00:00Z");

const hear = (user_id: string, kind: "good" | "refused" | "troubled", at = NOW) =>
  limitRefusedKeys(pool, user_id, at, async (): Promise<KeyCheck> => ({ kind }));

test("makes a user wait after many refused keys, and no other user", async () => {
  const [wanderer, other] = [crypto.randomUUID(), crypto.randomUUID()];
  await Promise.all(Array.from({ length: 5 }, () => hear(wanderer, "refused")));
  await expect(hear(wanderer, "refused")).rejects.toThrow("conflict");
  await expect(hear(wanderer, "good")).rejects.toThrow("conflict");
  await expect(hear(other, "refused")).resolves.toEqual({ kind: "refused" });
  const later = new Date(NOW.getTime() + 60_000);
  await expect(hear(wanderer, "good", later)).resolves.toEqual({ kind: "good" });
});

test("a failing service does not count as a refused key", async () => {
  const user_id = crypto.randomUUID();
  for (let count = 0; count < 8; count += 1) await hear(user_id, "troubled");
  await expect(hear(user_id, "good")).resolves.toEqual({ kind: "good" });
});
