import { randomUUID } from "node:crypto";
import type { EventKind, RefundWay } from "#contract/names.ts";
import { inSpan } from "#contract/process/tracing.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { Database } from "../db/database.ts";

/** The payment in `checkout.succeeded`; amounts are decimal text with two places. */
export interface EmittedPayment {
  payment_id: string;
  amount: string;
  currency: string;
  /** The tax inside the amount; null when none applies. */
  vat: string | null;
  fee: string;
  method: string;
  /** The provider's reference of the payment; null if no provider took it. */
  provider_reference: string | null;
  paid_at: Date;
}

/** The refund in `payment.refunded` and `payment.refund_failed`; amounts are decimal text. */
interface EmittedRefund {
  refund_id: string;
  payment_id: string;
  amount: string;
  currency: string;
  /** The amount of the payment after all refunds that were made. */
  payment_left: string;
  way: RefundWay;
  /** The provider's reference of the refund, or the note of the person who made it; null if none. */
  reference: string | null;
  refunded_at: Date;
}

/** The dispute in `payment.disputed`. */
interface EmittedDispute {
  payment_id: string;
  /** The disputed amount, as decimal text; null if the provider does not tell it. */
  amount: string | null;
  currency: string;
  /** The provider's reference of the payment. */
  provider_reference: string | null;
  disputed_at: Date;
}

interface Emission {
  seller_id: number;
  subscription_id: string;
  events: readonly EventKind[];
  old_status: SubscriptionStatus;
  new_status: SubscriptionStatus;
  reason: string;
  /** The event's data besides the subscription; a status change has none. */
  details?: EmittedPayment | EmittedRefund | EmittedDispute | undefined;
  created_at: Date;
}

/** The notification channel that wakes delivery workers after a commit. */
export const DELIVERIES_CHANNEL = "deliveries";

/**
 * Inserts the events, and a delivery of each for every endpoint, in the caller's transaction:
 * no change without its event, and vice versa. Spec choice, webhook body: the body is fixed
 * here, with the subscription as it is in this transaction; a paused endpoint's delivery is
 * stored as skipped.
 */
export async function emitEvents(database: Database, emission: Emission): Promise<void> {
  await inSpan("emit", {}, () => write(database, emission));
}

const write = (database: Database, emission: Emission) =>
  database.query(
    `with emitted as (
       insert into event
         (event_id, seller_id, subscription_id, event, old_status, new_status, reason, created_at)
       select e.event_id, $1, $2, e.event, $3, $4, $5, $6
       from unnest($7::uuid[], $8::text[]) with ordinality as e (event_id, event, place)
       order by e.place
       returning *
     ), queued as (
       insert into delivery
         (seller_id, webhook_id, event_id, event, subscription_id, body, state, created_at)
       select e.seller_id, w.id, e.event_id, e.event, e.subscription_id,
         json_build_object(
           'id', e.event_id, 'event', e.event, 'type', e.event,
           'timestamp', wire_time(e.created_at), 'subscription_id', e.subscription_id,
           'old_status', e.old_status, 'new_status', e.new_status, 'reason', e.reason,
           'data', (select json_object_agg(fields.key, fields.value) from (
             select * from json_each(json_build_object(
             'product_id', s.product_id, 'pbp_id', s.pbp_id,
             'current_period_start', wire_time(s.current_period_start),
             'current_period_end', wire_time(s.next_billing_cycle),
             'next_billing_cycle', wire_time(s.next_billing_cycle)))
             union all
             select * from json_each($9::json) where e.event <> 'subscription.status_changed') as fields))::text,
         case when w.is_active then 'pending' else 'skipped' end, e.created_at
       from emitted e
       join webhook w on w.seller_id = $1 and w.event = e.event
       join subscription s on s.seller_id = $1 and s.subscription_id = e.subscription_id
       order by e.sequence, w.id
       returning state
     )
     select pg_notify('${DELIVERIES_CHANNEL}', '')
     where exists (select 1 from queued where state = 'pending')`,
    [
      emission.seller_id,
      emission.subscription_id,
      emission.old_status,
      emission.new_status,
      emission.reason,
      emission.created_at,
      emission.events.map(() => randomUUID()),
      emission.events,
      emission.details ?? {},
    ],
  );
