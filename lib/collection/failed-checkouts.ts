import "server-only";

/** Days after which a failed payment is no reason to call. */
const DAYS_TOLD = 14;

/**
 * SQL of the subscriptions whose last checkout failed, and when; the only place that knows where
 * deliveries are stored. Deliveries can be forged while no secret is known, so a failure only hints.
 * Later verification gives a later id, so the time decides which was last.
 * @param owner the placeholders of seller and mode
 */
export const failedCheckoutsSql = ({
  seller_id,
  mode,
}: {
  seller_id: string;
  mode: string;
}) => `
  select distinct on (e.subscription_id) e.subscription_id, e.received_at as failed_at
    from received_delivery e
   where e.seller_id = ${seller_id} and e.mode = ${mode} and e.event = 'checkout.failed'
     and e.verdict in ('verified', 'unverified') and e.reason is distinct from 'example'
     and e.subscription_id is not null
     and e.received_at > now() - interval '${DAYS_TOLD} days'
     and not exists (
       select 1 from received_delivery p
        where p.seller_id = e.seller_id and p.mode = e.mode
          and p.subscription_id = e.subscription_id and p.event = 'checkout.succeeded'
          and p.verdict in ('verified', 'unverified') and p.reason is distinct from 'example'
          and (p.received_at, p.id) > (e.received_at, e.id))
     and not exists (
       select 1 from subscription_change c
        where c.seller_id = e.seller_id and c.mode = e.mode
          and c.subscription_id = e.subscription_id and c.seen_at > e.received_at
          and (c.is_first_payment or c.is_renewal))
   order by e.subscription_id, e.received_at desc, e.id desc`;
