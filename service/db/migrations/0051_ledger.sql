-- ADR 0181. The ledger: double-entry and append-only. Debits are positive, credits negative.
update payment set fee = round(amount * 0.0199, 2) where fee is null;
alter table payment alter column fee set not null;

create table journal_entry (
  entry_id bigint generated always as identity primary key,
  seller_id bigint not null references seller,
  -- charge: a provider took money. payment: it paid something. reversal: a recorded payment was none.
  -- refund: we gave back. provider_refund: the provider gave back, or took back, by itself.
  kind text not null check (kind in ('charge', 'payment', 'reversal', 'refund', 'provider_refund')),
  -- By the seller's clock, like all times of payments.
  booked_at timestamptz not null,
  subscription_id uuid not null references subscription,
  charge_id uuid references charge,
  payment_id uuid references payment,
  refund_id uuid references refund,
  -- What the provider had given back before, of a charge whose money goes back in parts.
  given_before numeric(14, 2) not null default 0,
  -- What the entry is booked for, once.
  cause uuid not null generated always as (case
    when kind in ('refund', 'provider_refund') then coalesce(refund_id, charge_id)
    when kind = 'charge' then charge_id else payment_id end) stored,
  unique (cause, kind, given_before)
);
create index on journal_entry (seller_id, booked_at, entry_id);
create index on journal_entry (subscription_id);
create index on journal_entry (payment_id) where payment_id is not null;
create index on journal_entry (charge_id) where charge_id is not null;
create index on journal_entry (refund_id) where refund_id is not null;

create table journal_line (
  entry_id bigint not null references journal_entry,
  position smallint not null,
  seller_id bigint not null references seller,
  -- provider, cash: where money is. provider_fee, refunds: what it cost. buyer: owed to buyers.
  -- our_fee: owed to the service. seller: earned.
  account text not null check (account in
    ('provider', 'cash', 'provider_fee', 'our_fee', 'buyer', 'refunds', 'seller')),
  -- Of provider; null for the sandbox's wallet and bank, and for payments from before charges were kept.
  account_id bigint references payment_account,
  currency text not null,
  amount numeric(14, 2) not null check (amount <> 0),
  primary key (entry_id, position),
  check (account_id is null or account = 'provider')
);
create index on journal_line (seller_id);

-- Books what is not booked yet of an account, or of one subscription of it. Times come from what is
-- booked, so that an account whose rows are put back has the same ledger again.
create function book_money(of_seller bigint, of_subscription uuid default null) returns void
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
    left join refund r on r.charge_id = c.charge_id and r.payment_id is null
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
    where r.seller_id = of_seller and r.state = 'done'
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

select book_money(seller_id) from seller;

-- By the end of each transaction money is booked that came or went in it, whoever wrote its row. A
-- transaction that replaces whole accounts books them itself (service/ledger/book.ts).
create function book_new_money() returns trigger language plpgsql as $$
begin
  perform book_money(new.seller_id, new.subscription_id);
  return null;
end $$;
create constraint trigger book_payment after insert or update of reversed_at on payment
  deferrable initially deferred for each row
  when (current_setting('duebook.changes', true) is distinct from 'off') execute function book_new_money();
create constraint trigger book_charge after insert on charge
  deferrable initially deferred for each row
  when (new.state = 'approved' and current_setting('duebook.changes', true) is distinct from 'off')
  execute function book_new_money();
create constraint trigger book_changed_charge after update of state, refunded_amount on charge
  deferrable initially deferred for each row
  when (new.state = 'approved'
    and (old.state, old.refunded_amount) is distinct from (new.state, new.refunded_amount)
    and current_setting('duebook.changes', true) is distinct from 'off')
  execute function book_new_money();
create constraint trigger book_refund after insert or update of state, ended_at on refund
  deferrable initially deferred for each row
  when (new.state in ('done', 'refused') and current_setting('duebook.changes', true) is distinct from 'off')
  execute function book_new_money();

create function require_balanced_entry() returns trigger language plpgsql as $$
begin
  if exists (select from journal_line where entry_id = new.entry_id group by currency having sum(amount) <> 0)
  then raise 'the lines of a journal entry do not add up to zero' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger balanced after insert on journal_line deferrable initially deferred
  for each row execute function require_balanced_entry();

-- Corrections are new entries. Only a sandbox account that is replaced as a whole loses its ledger.
create function refuse_change_of_ledger() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' or current_setting('duebook.changes', true) is distinct from 'off' then
    raise 'the ledger is append-only' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger append_only before update or delete or truncate on journal_entry
  for each statement execute function refuse_change_of_ledger();
create trigger append_only before update or delete or truncate on journal_line
  for each statement execute function refuse_change_of_ledger();
