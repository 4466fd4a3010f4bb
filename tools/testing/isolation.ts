import { beforeAll, describe, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { ChangingService } from "./servers/changing-service.ts";
import { createIndexOwner, storeApiKey, runSlice } from "./fixtures/search-index-fixture.ts";
import { pool } from "./dashboard-database.ts";

/** The billing service of the other seller: it has no records. */
export const EMPTY_SERVICE = new ChangingService();

/**
 * Tests that each call, made by another seller and in the other mode, returns nothing of the owner's
 * and changes none of the owner's rows in these tables.
 */
export function testIsolation(
  ownerOf: () => KeyOwner,
  tables: readonly string[],
  trials: Record<string, (who: KeyOwner) => unknown>,
): void {
  /** The owner's rows, without the time of the next sync. */
  const belongings = () =>
    Promise.all(
      tables.map(async (table) => {
        const { rows } = await pool.query<{ row: string }>(
          `select (to_jsonb(t) - 'due_at')::text as row from ${table} t
            where seller_id = $1 and mode = $2 order by 1`,
          [ownerOf().seller_id, ownerOf().mode],
        );
        return rows;
      }),
    );

  describe.each(["another seller", "the other mode"])("%s", (who) => {
    let stranger: KeyOwner;
    beforeAll(async () => {
      stranger =
        who === "another seller" ? await createIndexOwner() : { ...ownerOf(), mode: "live" };
      if (who === "the other mode") await storeApiKey(stranger, "sk_live_other");
      await runSlice(stranger, EMPTY_SERVICE);
    });

    test.each(Object.keys(trials))(
      "finds and changes nothing of the owner by %s",
      async (name) => {
        const before = await belongings();
        const answer = JSON.stringify(await trials[name]?.(stranger)) ?? "";
        expect(answer).not.toMatch(/Buyer|Fibre|sub-\d/);
        await expect(belongings()).resolves.toEqual(before);
      },
    );
  });
}
