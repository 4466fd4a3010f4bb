import "server-only";
import type pg from "pg";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/billing/api-key.ts";
import { findRows } from "./find-rows.ts";

/** The subscription as the service told of it before a moment of readClock's; null where the copy has none. */
export async function findCopiedBefore(
  pool: Pick<pg.Pool, "query" | "connect">,
  owner: KeyOwner,
  { subscription_id, asked_at }: { subscription_id: string; asked_at: string },
): Promise<Subscription | null> {
  const { results } = await findRows<Subscription>(pool, owner, {
    table: "mirror_subscription",
    conditions: [
      (bind) => `id = ${bind(subscription_id)}`,
      (bind) => `asked_at < ${bind(asked_at)}::timestamptz`,
    ],
    terms: [],
    order: null,
    paging: { page: 1, page_size: 1 },
  });
  return results[0] ?? null;
}
