import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { database } from "#lib/db/pool.ts";
import type { Scope } from "#lib/scope.ts";
import type { SellerTexts } from "./rules.ts";
import { readReminders } from "./store.ts";

export async function getReminders(scope: Scope): Promise<SellerTexts> {
  const { seller } = await requireSeller(scope, "subscriptions:read");
  return readReminders(database(), seller.id);
}
