import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { database } from "#lib/db/pool.ts";
import type { Scope } from "#lib/scope.ts";
import { findLanguageFor } from "./buyer-language.ts";
import type { TextsForBuyer } from "./queries.ts";
import type { SellerTexts } from "./rules.ts";
import { readReminders } from "./store.ts";

export async function getReminders(scope: Scope): Promise<SellerTexts> {
  const { seller } = await requireSeller(scope, "subscriptions:read");
  return readReminders(database(), seller.id);
}

/** The texts for a message to the buyer of a subscription. */
export async function getTextsForBuyer(
  scope: Scope,
  subscription_id: string,
): Promise<TextsForBuyer> {
  const { owner, seller } = await requireSeller(scope, "subscriptions:read");
  const [texts, language] = await Promise.all([
    readReminders(database(), seller.id),
    findLanguageFor(owner, subscription_id),
  ]);
  return { ...texts, language };
}
