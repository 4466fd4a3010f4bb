import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { Database } from "../db/database.ts";
import { LISTED_PRICE, type ListedPrice } from "../subscriptions/pricing.ts";
import type { SubscriptionRow } from "../subscriptions/store.ts";

export type PreviewRow = ListedPrice &
  Pick<
    SubscriptionRow,
    | "subscription_id"
    | "status"
    | "next_billing_cycle"
    | "is_one_time"
    | "full_name"
    | "product_name"
    | "plan_name"
    | "label"
    | "currency"
  >;

/** What is due now, and what time moves by then: nothing else will be due or have ended. */
export async function selectPreviewRows(
  database: Database,
  sellerId: number,
  until: Date,
): Promise<PreviewRow[]> {
  const { rows } = await database.query<PreviewRow>(
    `select s.subscription_id, s.status, s.next_billing_cycle, s.is_one_time, s.full_name,
       p.name as product_name, l.plan_name, b.label, b.currency, ${LISTED_PRICE}
     from subscription s join product p using (product_id) join plan l using (plan_id)
     join billing_period b using (pbp_id)
     where s.seller_id = $1 and (s.status = 'due' or s.next_transition_at <= $2)
     order by s.position`,
    [sellerId, until],
  );
  return rows;
}

/** Recurring ones, as the counters of the list have them. */
export async function countStatuses(database: Database, sellerId: number) {
  const { rows } = await database.query<{ status: SubscriptionStatus; count: number }>(
    `select status, sum(rows)::int as count from subscription_tally
     where seller_id = $1 and size = 0 and not is_one_time group by status`,
    [sellerId],
  );
  return new Map(rows.map(({ status, count }) => [status, count]));
}
