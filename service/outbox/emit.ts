import { randomUUID } from "node:crypto";
import type { EventKind } from "#contract/events.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { Database } from "../db/database.ts";

export interface Emission {
  seller_id: number;
  subscription_id: string;
  events: readonly EventKind[];
  old_status: SubscriptionStatus;
  new_status: SubscriptionStatus;
  /** Why it happened: payment, renewal, declined, … */
  reason: string;
  created_at: Date;
}

/** Writes the events in the caller's transaction: no change without its event, and the reverse. */
export async function emit(database: Database, emission: Emission): Promise<void> {
  for (const event of emission.events)
    await database.query(
      `insert into event
         (event_id, seller_id, subscription_id, event, old_status, new_status, reason, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        randomUUID(),
        emission.seller_id,
        emission.subscription_id,
        event,
        emission.old_status,
        emission.new_status,
        emission.reason,
        emission.created_at,
      ],
    );
}
