-- A changed time zone or grace period moved all subscriptions of the seller in one statement, which a
-- large seller's request cannot wait for. Now it moves the first ones, and the sweep the others.

-- Subscriptions after this position still have their old next_transition_at; null if none has.
alter table seller add column retime_after bigint;
create index seller_to_retime on seller (seller_id) where retime_after is not null;

-- Corrects the subscriptions of the next 1,000 positions. The caller has locked the seller.
create function retime_subscriptions(retimed bigint) returns void language plpgsql as $$
begin
  with chosen as (
    select sub.subscription_id, sub.position from seller s join subscription sub using (seller_id)
    where s.seller_id = retimed and sub.seller_id = retimed and sub.position > s.retime_after
    order by sub.position limit 1000
  ), moved as (
    update subscription sub set next_transition_at =
      transition_moment(sub.status, sub.next_billing_cycle, s.time_zone, s.grace_days)
    from chosen c, seller s
    where sub.seller_id = retimed and sub.subscription_id = c.subscription_id
      and s.seller_id = retimed and sub.next_billing_cycle is not null
  )
  update seller s set retime_after =
    (select case when count(*) = 1000 then max(position) end from chosen)
  where s.seller_id = retimed;
end $$;

create or replace function move_transitions() returns trigger language plpgsql as $$
begin
  update seller set retime_after = 0 where seller_id = new.seller_id;
  perform retime_subscriptions(new.seller_id);
  return null;
end $$;
