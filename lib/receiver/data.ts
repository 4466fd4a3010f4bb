import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import type { ReceivedDeliveryDetails, ReceivedSearch, ReceiverState } from "./queries.ts";
import { readReceivedDelivery, readReceiver } from "./store.ts";

export async function getReceiver(
  scope: Scope,
  search: ReceivedSearch,
): Promise<ReceiverState> {
  const { owner } = await requireSeller(scope, "webhooks:read");
  return readReceiver(database(), owner, env().NEXTAUTH_URL, search);
}

export async function getReceivedDelivery(
  scope: Scope,
  id: string,
): Promise<ReceivedDeliveryDetails> {
  const { owner } = await requireSeller(scope, "webhooks:read");
  return readReceivedDelivery(database(), owner, id);
}
