-- ADR 0260. A refund that a provider made and that failed later: the money is owed again, as another refund.
alter table refund
  add column failed_at timestamptz,
  add constraint refund_failed_check check (failed_at is null or (state = 'refused' and ended_at is not null));
drop index one_refund_of_charge;
create unique index one_refund_of_charge on refund (charge_id) where payment_id is null and failed_at is null;
-- Those that are done are asked about for a while.
drop index refund_to_send;
create index refund_to_send on refund (next_at) where next_at is not null;

-- refund_failed: what a refund booked, the other way round.
alter table journal_entry
  drop constraint journal_entry_kind_check,
  add constraint journal_entry_kind_check check (kind in
    ('charge', 'payment', 'reversal', 'refund', 'provider_refund', 'refund_failed')),
  drop column cause,
  add column cause uuid not null generated always as (case
    when kind in ('refund', 'provider_refund', 'refund_failed') then coalesce(refund_id, charge_id)
    when kind = 'charge' then charge_id else payment_id end) stored,
  add unique (cause, kind, given_before);

create or replace function book_money(of_seller bigint, of_subscription uuid default null) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
  with due as (
    -- What was taken: a person may have decided about a charge that was answered with another amount.
    select c.charge_id, c.subscription_id, c.account_id, c.currency,
      case c.answered_currency when c.currency then coalesce(c.answered_amount, c.amount) else c.amount end as amount,
      coalesce(c.fee, 0) as fee,
      coalesce(p.paid_at, r.requested_at, c.approved_at + s.clock_offset_ms * interval '1 millisecond') as at
    from charge c join seller s using (seller_id)
    left join payment p on p.attempt_id = c.attempt_id and c.is_booked
    left join refund r on r.charge_id = c.charge_id and r.payment_id is null and r.failed_at is null
    where c.seller_id = of_seller and c.state = 'approved'
      and (of_subscription is null or c.attempt_id in (
        select attempt_id from checkout_attempt where subscription_id = of_subscription))
      and not exists (select from journal_entry e where e.cause = c.charge_id and e.kind = 'charge')
  ), made as (
    insert into journal_entry (seller_id, kind, booked_at, subscription_id, charge_id)
    select of_seller, 'charge', at, subscription_id, charge_id from due order by at
    on conflict do nothing returning entry_id, cause
  )
  insert into journal_line (entry_id, position, seller_id, account, account_id, currency, amount)
  select entry_id, position, of_seller, l.account, l.account_id, currency, l.amount
  from made join due on charge_id = cause cross join lateral (values
    (1, 'provider', due.account_id, due.amount - fee),
    (2, 'provider_fee', null, fee),
    (3, 'buyer', null, -due.amount)) l (position, account, account_id, amount)
  where l.amount <> 0;

  -- A payment at the checkout from before charges were kept has none.
  with due as (
    select p.payment_id, p.subscription_id, p.currency, p.amount, p.fee, p.paid_at, c.charge_id,
      case when p.method in ('cash', 'transfer', 'other') then 'cash'
        when c.charge_id is null then 'provider' else 'buyer' end as source,
      case when c.charge_id is null then a.account_id end as account_id
    from payment p left join checkout_attempt a using (attempt_id)
    left join charge c on c.attempt_id = p.attempt_id and c.is_booked
    where p.seller_id = of_seller and (of_subscription is null or p.subscription_id = of_subscription)
      and not exists (select from journal_entry e where e.cause = p.payment_id and e.kind = 'payment')
  ), made as (
    insert into journal_entry (seller_id, kind, booked_at, subscription_id, payment_id, charge_id)
    select of_seller, 'payment', paid_at, subscription_id, payment_id, charge_id
    from due order by paid_at on conflict do nothing returning entry_id, cause
  )
  insert into journal_line (entry_id, position, seller_id, account, account_id, currency, amount)
  select entry_id, position, of_seller, l.account, l.account_id, currency, l.amount
  from made join due on payment_id = cause cross join lateral (values
    (1, source, due.account_id, due.amount),
    (2, 'our_fee', null, -fee),
    (3, 'seller', null, fee - due.amount)) l (position, account, account_id, amount)
  where l.amount <> 0;

  with made as (
    insert into journal_entry (seller_id, kind, booked_at, subscription_id, payment_id)
    select of_seller, 'reversal', reversed_at, subscription_id, payment_id from payment p
    where seller_id = of_seller and (of_subscription is null or subscription_id = of_subscription)
      and reversed_at is not null
      and not exists (select from journal_entry e where e.cause = p.payment_id and e.kind = 'reversal')
    order by reversed_at on conflict do nothing returning entry_id, cause
  )
  insert into journal_line (entry_id, position, seller_id, account, account_id, currency, amount)
  select made.entry_id, l.position, of_seller, l.account, l.account_id, l.currency, -l.amount
  from made join journal_entry paid on paid.cause = made.cause and paid.kind = 'payment'
  join journal_line l on l.entry_id = paid.entry_id;

  with due as (
    select r.refund_id, r.charge_id, r.payment_id, r.subscription_id, r.amount, coalesce(p.currency, c.currency) as currency,
      r.ended_at, case when r.payment_id is null then 'buyer' else 'refunds' end as owed_by,
      case when p.method in ('cash', 'transfer', 'other') then 'cash' else 'provider' end as source,
      coalesce(c.account_id, a.account_id) as account_id,
      case r.cause when 'provider' then 'provider_refund' else 'refund' end as kind
    from refund r left join payment p using (payment_id)
    left join checkout_attempt a on a.attempt_id = p.attempt_id
    left join charge c on c.charge_id = r.charge_id
    where r.seller_id = of_seller and (r.state = 'done' or r.failed_at is not null)
      and (of_subscription is null or r.subscription_id = of_subscription)
      and not exists (select from journal_entry e where e.refund_id = r.refund_id)
  ), made as (
    insert into journal_entry (seller_id, kind, booked_at, subscription_id, refund_id, payment_id, charge_id)
    select of_seller, kind, ended_at, subscription_id, refund_id, payment_id, charge_id
    from due order by ended_at on conflict do nothing returning entry_id, cause
  )
  insert into journal_line (entry_id, position, seller_id, account, account_id, currency, amount)
  select entry_id, position, of_seller, l.account, l.account_id, currency, l.amount
  from made join due on refund_id = cause cross join lateral (values
    (1, owed_by, null, due.amount),
    (2, source, due.account_id, -due.amount)) l (position, account, account_id, amount);

  with made as (
    insert into journal_entry (seller_id, kind, booked_at, subscription_id, refund_id, payment_id, charge_id)
    select of_seller, 'refund_failed', failed_at, subscription_id, refund_id, payment_id, charge_id from refund r
    where seller_id = of_seller and failed_at is not null
      and (of_subscription is null or subscription_id = of_subscription)
      and not exists (select from journal_entry e where e.refund_id = r.refund_id and e.kind = 'refund_failed')
    order by failed_at on conflict do nothing returning entry_id, refund_id
  )
  insert into journal_line (entry_id, position, seller_id, account, account_id, currency, amount)
  select made.entry_id, l.position, of_seller, l.account, l.account_id, l.currency, -l.amount
  from made join journal_entry given on given.refund_id = made.refund_id and given.kind in ('refund', 'provider_refund')
  join journal_line l on l.entry_id = given.entry_id;

  -- What the provider gave back and no refund says.
  with due as (
    select c.charge_id, c.subscription_id, p.payment_id, c.account_id, c.currency, before.sum as given_before,
      c.refunded_amount - before.sum - ours.sum as amount,
      coalesce(c.asked_at, c.approved_at) + s.clock_offset_ms * interval '1 millisecond' as at
    from charge c join seller s using (seller_id)
    left join payment p on p.attempt_id = c.attempt_id and c.is_booked
    cross join lateral (select coalesce(-sum(l.amount), 0) as sum from journal_entry e
      join journal_line l on l.entry_id = e.entry_id and l.account = 'provider'
      where e.cause = c.charge_id and e.kind = 'provider_refund') before
    cross join lateral (select coalesce(sum(r.amount), 0) as sum from refund r
      where (r.state <> 'refused' or r.ended_at is null)
        and (r.charge_id = c.charge_id or r.payment_id = p.payment_id)) ours
    where c.seller_id = of_seller and c.state = 'approved' and c.refunded_amount is not null
      and (of_subscription is null or c.attempt_id in (
        select attempt_id from checkout_attempt where subscription_id = of_subscription))
  ), made as (
    insert into journal_entry (seller_id, kind, booked_at, subscription_id, charge_id, payment_id, given_before)
    select of_seller, 'provider_refund', at, subscription_id, charge_id, payment_id, given_before
    from due where amount > 0 order by at on conflict do nothing returning entry_id, cause
  )
  insert into journal_line (entry_id, position, seller_id, account, account_id, currency, amount)
  select entry_id, position, of_seller, l.account, l.account_id, currency, l.amount
  from made join due on charge_id = cause cross join lateral (values
    (1, case when payment_id is null then 'buyer' else 'refunds' end, null, due.amount),
    (2, 'provider', due.account_id, -due.amount)) l (position, account, account_id, amount);
end $$;
