import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { database } from "#lib/db/pool.ts";
import type { Scope } from "#lib/scope.ts";
import type { Comparisons } from "./queries.ts";
import { selectComparisons } from "./store.ts";

export async function getComparisons(scope: Scope): Promise<Comparisons> {
  const { owner } = await requireSeller(scope, "connection:read");
  return selectComparisons(database(), owner);
}
