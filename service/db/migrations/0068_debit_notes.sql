-- ADR 0181. A refund that failed and is given up for good left its credit note standing: a debit note takes that back.
alter table bill
  drop constraint bill_kind_check,
  add constraint bill_kind_check check (kind in ('receipt', 'vat_bill', 'credit_note', 'debit_note')),
  -- Of a debit note: the refund that was given up; its entry is the refund's failure.
  add column refund_id uuid unique references refund,
  drop constraint bill_entry_id_key,
  drop constraint bill_check,
  add constraint bill_corrects_check check ((corrects is not null) = (kind in ('credit_note', 'debit_note'))),
  add constraint bill_refund_check check ((refund_id is not null) = (kind = 'debit_note'));
create unique index bill_entry_id_key on bill (entry_id) where kind <> 'debit_note';
create index on bill (entry_id);

-- Credit and debit notes of an account, of one entry, or of one refund that is given up. Together they state
-- what went back and what still has to, each in the order of time.
create function issue_notes(of_seller bigint, of_entry bigint default null, of_refund uuid default null) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
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
        and not exists (select from bill b where b.entry_id = e.entry_id)
      union all
      select r.ended_at, f.entry_id, r.payment_id, f.kind, 'debit_note', 'D', r.refund_id
      from refund r cross join lateral (select max(e.entry_id) as entry_id, max(e.kind) as kind from journal_entry e
        where e.payment_id = r.payment_id and e.kind = 'refund_failed') f
      where r.seller_id = of_seller and of_entry is null and (of_refund is null or r.refund_id = of_refund)
        and r.state = 'refused' and r.ended_at is not null and r.failed_at is null and f.entry_id is not null
        and not exists (select from bill b where b.refund_id = r.refund_id)
    )
    select due.*, o.bill_id, o.label, o.issued_at, o.currency, o.amount, o.vat, o.facts, s.bill_prefix,
      fiscal_year((due.at at time zone zone_name(s.time_zone))::date, bill_year_of(s)) as fiscal_year
    from due join bill o on o.payment_id = due.payment_id and o.corrects is null
    join seller s on s.seller_id = of_seller
    order by due.at, due.entry_id, due.refund_id nulls first
  loop
    select coalesce(sum(case b.kind when 'debit_note' then -b.amount else b.amount end), 0) into noted
      from bill b where b.payment_id = note.payment_id and b.corrects is not null;
    -- A refund that replaces a failed one is in the first one's credit note.
    select coalesce(sum(case e.kind when 'refund_failed' then -l.amount else l.amount end), 0) into went
      from journal_entry e join journal_line l using (entry_id)
      where e.payment_id = note.payment_id and l.amount > 0
        and e.kind in ('reversal', 'refund', 'provider_refund', 'refund_failed')
        and (note.kind = 'debit_note' or (e.booked_at, e.entry_id) <= (note.at, note.entry_id));
    if note.kind = 'credit_note' then more := went - noted;
    else
      -- What is still to be given back keeps its credit note.
      select noted - went - coalesce(sum(r.amount), 0) into more
        from refund r where r.payment_id = note.payment_id and r.state <> 'done' and r.ended_at is null;
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

create or replace function issue_bills(of_seller bigint, of_entry bigint default null) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  of_kind text := (select kind from journal_entry where entry_id = of_entry);
begin
  perform pg_advisory_xact_lock(hashtextextended('bill ' || of_seller, 0));
  if of_kind is null or of_kind = 'payment' then
    with due as (
      select e.entry_id, e.booked_at, p.payment_id, p.currency, p.vat, p.period_start, p.method, u.*, s.bill_prefix,
        case when s.issues_vat_bills then 'vat_bill' else 'receipt' end as kind,
        case when s.issues_vat_bills then 'B' else 'R' end as letter,
        fiscal_year((e.booked_at at time zone zone_name(s.time_zone))::date, bill_year_of(s)) as fiscal_year,
        coalesce((select sum(amount) from journal_line l where l.entry_id = e.entry_id and amount > 0), 0) as amount,
        s.time_zone, coalesce(nullif(v.legal_name, ''), s.name) as name,
        coalesce(s.bill_pan, nullif(v.pan, '')) as pan,
        coalesce(s.bill_address, nullif(v.address, '')) as seller_address,
        coalesce(a.pbp_id, u.pbp_id) as paid_pbp_id
      from journal_entry e join payment p using (payment_id) join seller s on s.seller_id = e.seller_id
      join subscription u on u.subscription_id = e.subscription_id
      left join checkout_attempt a on a.attempt_id = p.attempt_id
      left join verification v on v.seller_id = e.seller_id
      where e.seller_id = of_seller and (of_entry is null or e.entry_id = of_entry) and e.kind = 'payment'
        and not exists (select from bill b where b.entry_id = e.entry_id)
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
    from numbered n join billing_period b on b.pbp_id = n.paid_pbp_id
    join plan l on l.plan_id = b.plan_id join product r on r.product_id = l.product_id
    cross join lateral (select b.price - n.amount + case when b.vat_type = 'inclusive' then 0
      else coalesce(n.vat, 0) end as amount) saved;
  end if;

  if of_kind is distinct from 'payment' then
    perform issue_notes(of_seller, of_entry);
  end if;
end $$;

-- In the transaction that gives the refund up, at its end.
create function note_given_up() returns trigger language plpgsql as $$
begin
  perform issue_notes(new.seller_id, null, new.refund_id);
  return null;
end $$;
create constraint trigger note_given_up after update of ended_at on refund
  deferrable initially deferred for each row
  when (new.state = 'refused' and new.ended_at is not null and new.failed_at is null and old.ended_at is null
    and new.payment_id is not null and current_setting('duebook.changes', true) is distinct from 'off')
  execute function note_given_up();

-- Buyers are told of notes from now on, not of those that an update adds.
set local duebook.changes = 'off';
select issue_notes(seller_id) from seller;
set local duebook.changes = 'on';

-- Refunds from before they were watched for failing later (0060), at the provider that can be asked about them.
update refund r set next_at = now()
from charge c join payment_account a using (account_id) join seller s on s.seller_id = a.seller_id
where c.charge_id = r.charge_id and a.provider = 'stripe' and r.state = 'done' and r.next_at is null
  and r.provider_refund_id is not null
  and r.ended_at > now() + s.clock_offset_ms * interval '1 millisecond' - interval '30 days';
