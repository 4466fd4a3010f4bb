-- ADR 0181. What a provider takes back while a buyer disputes a payment, and gives again, is booked.
alter table charge
  -- What became of the dispute, as the provider says; null without one.
  add column dispute text check (dispute in ('open', 'won', 'lost')),
  -- What the provider keeps back for it now, and what it asks for it; null where it does not say.
  add column disputed_amount numeric(14, 2),
  add column dispute_fee numeric(14, 2);

-- dispute: the provider took disputed money, or its fee. dispute_returned: it gave it again. Of a charge there can
-- be several: given_before counts them.
alter table journal_entry
  drop constraint journal_entry_kind_check,
  add constraint journal_entry_kind_check check (kind in
    ('charge', 'payment', 'reversal', 'refund', 'provider_refund', 'refund_failed', 'dispute', 'dispute_returned')),
  drop column cause,
  add column cause uuid not null generated always as (case
    when kind in ('refund', 'provider_refund', 'refund_failed') then coalesce(refund_id, charge_id)
    when kind in ('charge', 'dispute', 'dispute_returned') then charge_id else payment_id end) stored,
  add unique (cause, kind, given_before);
alter table journal_line
  drop constraint journal_line_account_check,
  add constraint journal_line_account_check check (account in
    ('provider', 'cash', 'provider_fee', 'our_fee', 'buyer', 'refunds', 'disputes', 'seller'));

-- Books what the provider says of disputes beyond what is booked, of an account or of one subscription.
create function book_disputes(of_seller bigint, of_subscription uuid default null) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
  with due as (
    select c.charge_id, c.subscription_id, p.payment_id, c.account_id, c.currency, before.count,
      coalesce(c.disputed_amount, 0) - before.amount as amount,
      coalesce(c.dispute_fee, before.fee) - before.fee as fee,
      coalesce(c.asked_at, c.approved_at) + s.clock_offset_ms * interval '1 millisecond' as at
    from charge c join seller s using (seller_id)
    left join payment p on p.attempt_id = c.attempt_id and c.is_booked
    cross join lateral (
      select count(distinct e.entry_id) as count,
        coalesce(sum(l.amount) filter (where l.account = 'disputes'), 0) as amount,
        coalesce(sum(l.amount) filter (where l.account = 'provider_fee'), 0) as fee
      from journal_entry e join journal_line l using (entry_id)
      where e.cause = c.charge_id and e.kind in ('dispute', 'dispute_returned')) before
    where c.seller_id = of_seller and c.state = 'approved' and c.dispute is not null
      and (of_subscription is null or c.attempt_id in (
        select attempt_id from checkout_attempt where subscription_id = of_subscription))
  ), made as (
    insert into journal_entry (seller_id, kind, booked_at, subscription_id, charge_id, payment_id, given_before)
    select of_seller, case when amount < 0 or (amount = 0 and fee < 0) then 'dispute_returned' else 'dispute' end,
      at, subscription_id, charge_id, payment_id, count
    from due where amount <> 0 or fee <> 0 order by at on conflict do nothing returning entry_id, cause
  )
  insert into journal_line (entry_id, position, seller_id, account, account_id, currency, amount)
  select entry_id, position, of_seller, l.account, l.account_id, currency, l.amount
  from made join due on charge_id = cause cross join lateral (values
    (1, 'disputes', null, due.amount),
    (2, 'provider_fee', null, fee),
    (3, 'provider', due.account_id, -due.amount - fee)) l (position, account, account_id, amount)
  where l.amount <> 0;
end $$;

create or replace function book_new_money() returns trigger language plpgsql as $$
begin
  perform book_money(new.seller_id, new.subscription_id);
  if tg_table_name = 'charge' then
    if new.dispute is not null then perform book_disputes(new.seller_id, new.subscription_id); end if;
  end if;
  return null;
end $$;
create constraint trigger book_dispute after update of dispute, disputed_amount, dispute_fee on charge
  deferrable initially deferred for each row
  when (new.state = 'approved'
    and (old.disputed_amount, old.dispute_fee) is distinct from (new.disputed_amount, new.dispute_fee)
    and current_setting('duebook.changes', true) is distinct from 'off')
  execute function book_new_money();

-- The dispute is told with the payment.
create function record_dispute_changes() returns trigger language plpgsql as $$
begin
  insert into record_change (seller_id, kind, id)
  select seller_id, 'payment', payment_id from payment where attempt_id = new.attempt_id;
  return null;
end $$;
create trigger record_dispute after update of dispute, disputed_amount, dispute_fee on charge for each row
  when (new.is_booked
    and (old.dispute, old.disputed_amount, old.dispute_fee)
      is distinct from (new.dispute, new.disputed_amount, new.dispute_fee)
    and current_setting('duebook.changes', true) is distinct from 'off')
  execute function record_dispute_changes();

-- Disputes that are known already are asked about, so that they are booked.
update charge c set next_at = now()
where state = 'approved' and account_id is not null
  and exists (select from payment_task t where t.charge_id = c.charge_id and t.kind = 'disputed');
