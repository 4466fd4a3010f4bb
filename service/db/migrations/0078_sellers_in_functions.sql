-- ADR 0192. The functions name the seller of each row that they read, so that of tables divided by seller
-- one partition is read.
create or replace function place_customers() returns trigger language plpgsql as $$
begin
  update seller s set last_customer_position = s.last_customer_position + n.rows
  from (
    select seller_id, count(*) as rows from new_rows where position is null
    group by 1 order by 1
  ) n where s.seller_id = n.seller_id;
  update customer c set position = s.last_customer_position - n.newer
  from (
    select id, seller_id,
      row_number() over (partition by seller_id order by created_at desc, id desc) - 1 as newer
    from new_rows where position is null
  ) n join seller s using (seller_id) where c.seller_id = n.seller_id and c.id = n.id;
  return null;
end $$;

create or replace function skip_deliveries() returns trigger language plpgsql as $$
begin
  update delivery set state = 'skipped'
  where seller_id = new.seller_id and webhook_id = new.id and state = 'pending' and not by_hand;
  return null;
end $$;

create or replace function require_balanced_entry() returns trigger language plpgsql as $$
begin
  if exists (select from journal_line
    where seller_id = new.seller_id and entry_id = new.entry_id group by currency having sum(amount) <> 0)
  then raise 'the lines of a journal entry do not add up to zero' using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function book_money(of_seller bigint, of_subscription uuid default null) returns void language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
  with due as (
    -- What was taken: a person may have decided about a charge that was answered with another amount.
    select c.charge_id, c.subscription_id, c.account_id, c.currency,
      case c.answered_currency when c.currency then coalesce(c.answered_amount, c.amount) else c.amount end as amount,
      coalesce(c.fee, 0) as fee,
      coalesce(p.paid_at, r.requested_at, c.approved_at + s.clock_offset_ms * interval '1 millisecond') as at
    from charge c join seller s using (seller_id)
    left join payment p on p.seller_id = c.seller_id and p.attempt_id = c.attempt_id and c.is_booked
    left join refund r on r.seller_id = c.seller_id and r.charge_id = c.charge_id and r.payment_id is null and r.failed_at is null
    where c.seller_id = of_seller and c.state = 'approved'
      and (of_subscription is null or c.attempt_id in (
        select attempt_id from checkout_attempt
        where seller_id = of_seller and subscription_id = of_subscription))
      and not exists (select from journal_entry e where e.seller_id = of_seller and e.cause = c.charge_id and e.kind = 'charge')
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
    from payment p left join checkout_attempt a using (seller_id, attempt_id)
    left join charge c on c.seller_id = p.seller_id and c.attempt_id = p.attempt_id and c.is_booked
    where p.seller_id = of_seller and (of_subscription is null or p.subscription_id = of_subscription)
      and not exists (select from journal_entry e where e.seller_id = of_seller and e.cause = p.payment_id and e.kind = 'payment')
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
      and not exists (select from journal_entry e where e.seller_id = of_seller and e.cause = p.payment_id and e.kind = 'reversal')
    order by reversed_at on conflict do nothing returning entry_id, cause
  )
  insert into journal_line (entry_id, position, seller_id, account, account_id, currency, amount)
  select made.entry_id, l.position, of_seller, l.account, l.account_id, l.currency, -l.amount
  from made join journal_entry paid on paid.seller_id = of_seller and paid.cause = made.cause and paid.kind = 'payment'
  join journal_line l on l.seller_id = of_seller and l.entry_id = paid.entry_id;

  with due as (
    select r.refund_id, r.charge_id, r.payment_id, r.subscription_id, r.amount, coalesce(p.currency, c.currency) as currency,
      r.ended_at, case when r.payment_id is null then 'buyer' else 'refunds' end as owed_by,
      case when p.method in ('cash', 'transfer', 'other') then 'cash' else 'provider' end as source,
      coalesce(c.account_id, a.account_id) as account_id,
      case r.cause when 'provider' then 'provider_refund' else 'refund' end as kind
    from refund r left join payment p on p.seller_id = r.seller_id and p.payment_id = r.payment_id
    left join checkout_attempt a on a.seller_id = r.seller_id and a.attempt_id = p.attempt_id
    left join charge c on c.seller_id = r.seller_id and c.charge_id = r.charge_id
    where r.seller_id = of_seller and (r.state = 'done' or r.failed_at is not null)
      and (of_subscription is null or r.subscription_id = of_subscription)
      and not exists (select from journal_entry e where e.seller_id = of_seller and e.refund_id = r.refund_id)
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
      and not exists (select from journal_entry e where e.seller_id = of_seller and e.refund_id = r.refund_id and e.kind = 'refund_failed')
    order by failed_at on conflict do nothing returning entry_id, refund_id
  )
  insert into journal_line (entry_id, position, seller_id, account, account_id, currency, amount)
  select made.entry_id, l.position, of_seller, l.account, l.account_id, l.currency, -l.amount
  from made join journal_entry given on given.seller_id = of_seller and given.refund_id = made.refund_id and given.kind in ('refund', 'provider_refund')
  join journal_line l on l.seller_id = of_seller and l.entry_id = given.entry_id;

  -- What the provider gave back and no refund says.
  with due as (
    select c.charge_id, c.subscription_id, p.payment_id, c.account_id, c.currency, before.sum as given_before,
      c.refunded_amount - before.sum - ours.sum as amount,
      coalesce(c.asked_at, c.approved_at) + s.clock_offset_ms * interval '1 millisecond' as at
    from charge c join seller s using (seller_id)
    left join payment p on p.seller_id = c.seller_id and p.attempt_id = c.attempt_id and c.is_booked
    cross join lateral (select coalesce(-sum(l.amount), 0) as sum from journal_entry e
      join journal_line l on l.seller_id = e.seller_id and l.entry_id = e.entry_id and l.account = 'provider'
      where e.seller_id = of_seller and e.cause = c.charge_id and e.kind = 'provider_refund') before
    cross join lateral (select coalesce(sum(r.amount), 0) as sum from refund r
      where r.seller_id = of_seller and (r.state <> 'refused' or r.ended_at is null)
        and (r.charge_id = c.charge_id or r.payment_id = p.payment_id)) ours
    where c.seller_id = of_seller and c.state = 'approved' and c.refunded_amount is not null
      and (of_subscription is null or c.attempt_id in (
        select attempt_id from checkout_attempt
        where seller_id = of_seller and subscription_id = of_subscription))
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

create or replace function book_disputes(of_seller bigint, of_subscription uuid default null) returns void language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
  with due as (
    select c.charge_id, c.subscription_id, p.payment_id, c.account_id, c.currency, before.count,
      coalesce(c.disputed_amount, 0) - before.amount as amount,
      coalesce(c.dispute_fee, before.fee) - before.fee as fee,
      coalesce(c.asked_at, c.approved_at) + s.clock_offset_ms * interval '1 millisecond' as at
    from charge c join seller s using (seller_id)
    left join payment p on p.seller_id = c.seller_id and p.attempt_id = c.attempt_id and c.is_booked
    cross join lateral (
      select count(distinct e.entry_id) as count,
        coalesce(sum(l.amount) filter (where l.account = 'disputes'), 0) as amount,
        coalesce(sum(l.amount) filter (where l.account = 'provider_fee'), 0) as fee
      from journal_entry e join journal_line l using (seller_id, entry_id)
      where e.seller_id = of_seller and e.cause = c.charge_id and e.kind in ('dispute', 'dispute_returned')) before
    where c.seller_id = of_seller and c.state = 'approved' and c.dispute is not null
      and (of_subscription is null or c.attempt_id in (
        select attempt_id from checkout_attempt
        where seller_id = of_seller and subscription_id = of_subscription))
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
  -- Of a partition the name goes on.
  if tg_table_name like 'charge%' then
    if new.dispute is not null then perform book_disputes(new.seller_id, new.subscription_id); end if;
  end if;
  return null;
end $$;

create or replace function issue_notes(of_seller bigint, of_entry bigint default null, of_refund uuid default null) returns void language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  note record;
  noted numeric;
  went numeric;
  more numeric;
begin
  perform pg_advisory_xact_lock(hashtextextended('bill ' || of_seller, 0));
  for note in
    with due as (
      select e.booked_at as at, e.entry_id, e.payment_id, e.kind as cause, 'credit_note' as kind, 'C' as letter,
        null::uuid as refund_id
      from journal_entry e
      where e.seller_id = of_seller and of_refund is null and (of_entry is null or e.entry_id = of_entry)
        and e.kind in ('reversal', 'refund', 'provider_refund')
        and not exists (select from bill b where b.seller_id = of_seller and b.entry_id = e.entry_id)
      union all
      select r.ended_at, f.entry_id, r.payment_id, f.kind, 'debit_note', 'D', r.refund_id
      from refund r cross join lateral (select max(e.entry_id) as entry_id, max(e.kind) as kind from journal_entry e
        where e.seller_id = of_seller and e.payment_id = r.payment_id and e.kind = 'refund_failed') f
      where r.seller_id = of_seller and of_entry is null and (of_refund is null or r.refund_id = of_refund)
        and r.state = 'refused' and r.ended_at is not null and r.failed_at is null and f.entry_id is not null
        and not exists (select from bill b where b.seller_id = of_seller and b.refund_id = r.refund_id)
    )
    select due.*, o.bill_id, o.label, o.issued_at, o.currency, o.amount, o.vat, o.facts, s.bill_prefix,
      fiscal_year((due.at at time zone zone_name(s.time_zone))::date, bill_year_of(s)) as fiscal_year
    from due join bill o on o.seller_id = of_seller and o.payment_id = due.payment_id and o.corrects is null
    join seller s on s.seller_id = of_seller
    order by due.at, due.entry_id, due.refund_id nulls first
  loop
    select coalesce(sum(case b.kind when 'debit_note' then -b.amount else b.amount end), 0) into noted
      from bill b where b.seller_id = of_seller and b.payment_id = note.payment_id and b.corrects is not null;
    -- A refund that replaces a failed one is in the first one's credit note.
    select coalesce(sum(case e.kind when 'refund_failed' then -l.amount else l.amount end), 0) into went
      from journal_entry e join journal_line l using (seller_id, entry_id)
      where e.seller_id = of_seller and e.payment_id = note.payment_id and l.amount > 0
        and e.kind in ('reversal', 'refund', 'provider_refund', 'refund_failed')
        and (note.kind = 'debit_note' or (e.booked_at, e.entry_id) <= (note.at, note.entry_id));
    if note.kind = 'credit_note' then more := went - noted;
    else
      -- What is still to be given back keeps its credit note.
      select noted - went - coalesce(sum(r.amount), 0) into more
        from refund r where r.seller_id = of_seller and r.payment_id = note.payment_id and r.state <> 'done' and r.ended_at is null;
    end if;
    continue when more <= 0;
    insert into bill (seller_id, kind, fiscal_year, number, label, entry_id, payment_id, corrects, refund_id, currency,
      amount, vat, issued_at, facts)
    select of_seller, note.kind, note.fiscal_year, n.number,
      bill_label(note.bill_prefix, note.letter, note.fiscal_year, n.number), note.entry_id, note.payment_id,
      note.bill_id, note.refund_id, note.currency, more,
      -- The tax of all that is credited after it, less the tax of what was before.
      abs(round(note.vat * (noted + case note.kind when 'debit_note' then -more else more end) / nullif(note.amount, 0), 2)
        - round(note.vat * noted / nullif(note.amount, 0), 2)),
      note.at,
      note.facts || jsonb_build_object('corrects', note.label, 'corrected_at', note.issued_at, 'cause', note.cause)
    from (select coalesce(max(b.number), 0) + 1 as number from bill b where b.seller_id = of_seller
      and b.kind = note.kind and b.fiscal_year = note.fiscal_year) n;
  end loop;
end $$;

create or replace function issue_bills(of_seller bigint, of_entry bigint default null) returns void language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  of_kind text := (
    select kind from journal_entry where seller_id = of_seller and entry_id = of_entry);
begin
  perform pg_advisory_xact_lock(hashtextextended('bill ' || of_seller, 0));
  if of_kind is null or of_kind = 'payment' then
    with due as (
      select e.entry_id, e.booked_at, p.payment_id, p.currency, p.vat, p.period_start, p.method, u.*, s.bill_prefix,
        case when s.issues_vat_bills then 'vat_bill' else 'receipt' end as kind,
        case when s.issues_vat_bills then 'B' else 'R' end as letter,
        fiscal_year((e.booked_at at time zone zone_name(s.time_zone))::date, bill_year_of(s)) as fiscal_year,
        coalesce((select sum(amount) from journal_line l
          where l.seller_id = of_seller and l.entry_id = e.entry_id and amount > 0), 0) as amount,
        s.time_zone, coalesce(nullif(v.legal_name, ''), s.name) as name,
        coalesce(s.bill_pan, nullif(v.pan, '')) as pan,
        coalesce(s.bill_address, nullif(v.address, '')) as seller_address,
        coalesce(a.pbp_id, u.pbp_id) as paid_pbp_id
      from journal_entry e join payment p using (seller_id, payment_id) join seller s using (seller_id)
      join subscription u on u.seller_id = of_seller and u.subscription_id = e.subscription_id
      left join checkout_attempt a on a.seller_id = of_seller and a.attempt_id = p.attempt_id
      left join verification v on v.seller_id = e.seller_id
      where e.seller_id = of_seller and (of_entry is null or e.entry_id = of_entry) and e.kind = 'payment'
        and not exists (select from bill b where b.seller_id = of_seller and b.entry_id = e.entry_id)
    ), numbered as (
      select due.*, row_number() over (partition by kind, fiscal_year order by booked_at, entry_id) + coalesce((
        select max(b.number) from bill b where b.seller_id = of_seller and b.kind = due.kind
          and b.fiscal_year = due.fiscal_year), 0) as number
      from due
    )
    insert into bill (seller_id, kind, fiscal_year, number, label, entry_id, payment_id, currency, amount, vat,
      issued_at, facts)
    select of_seller, n.kind, n.fiscal_year, n.number, bill_label(n.bill_prefix, n.letter, n.fiscal_year, n.number),
      n.entry_id, n.payment_id, n.currency, n.amount, n.vat, n.booked_at, jsonb_build_object(
        'time_zone', n.time_zone,
        'seller', jsonb_build_object('name', n.name, 'pan', n.pan, 'address', n.seller_address),
        'buyer', jsonb_build_object(
          'name', coalesce(nullif(n.billing ->> 'business_name', ''), n.full_name),
          'pan', nullif(n.billing ->> 'pan_vat', ''),
          'address', coalesce(nullif(n.billing ->> 'address', ''), n.address)),
        'product', r.name, 'plan', l.plan_name,
        'interval', jsonb_build_object('type', b.interval_type, 'count', b.interval_count),
        'period_start', case when n.is_one_time then null
          else (n.period_start at time zone zone_name(n.time_zone))::date end,
        'method', n.method,
        'price', b.price::text,
        -- What the buyer saved against the price of the billing period.
        'discount', case when saved.amount > 0 and b.currency = n.currency then saved.amount::text end,
        'vat_percentage', case when n.vat is not null then b.vat_percentage::text end,
        'vat_is_included', n.vat is not null and b.vat_type = 'inclusive')
    from numbered n join billing_period b on b.seller_id = of_seller and b.pbp_id = n.paid_pbp_id
    join plan l on l.seller_id = of_seller and l.plan_id = b.plan_id
    join product r on r.seller_id = of_seller and r.product_id = l.product_id
    cross join lateral (select b.price - n.amount + case when b.vat_type = 'inclusive' then 0
      else coalesce(n.vat, 0) end as amount) saved;
  end if;

  if of_kind is distinct from 'payment' then
    perform issue_notes(of_seller, of_entry);
  end if;
end $$;

create or replace function record_dispute_changes() returns trigger language plpgsql as $$
begin
  insert into record_change (seller_id, kind, id)
  select seller_id, 'payment', payment_id from payment
  where seller_id = new.seller_id and attempt_id = new.attempt_id;
  return null;
end $$;
