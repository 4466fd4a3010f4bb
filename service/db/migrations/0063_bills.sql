-- ADR 0181. Bills: a numbered receipt or VAT bill for each payment, a credit note for what went back.
alter table seller
  -- A business with a VAT registration; all others give receipts.
  add column issues_vat_bills boolean not null default false,
  -- Without them, those of the verification are on the bill.
  add column bill_pan text check (bill_pan ~ '^\d{9}$'),
  add column bill_address text,
  -- Null: Nepal's in its time zone, the calendar's in others.
  add column bill_year text check (bill_year in ('nepal', 'calendar')),
  add column bill_prefix text not null default '' check (bill_prefix ~ '^[A-Z0-9]{0,8}$');

-- The year of Bikram Sambat in whose 1 Shrawan the fiscal year of that day began; from 2000 to 2090.
create function nepal_fiscal_year(day date) returns integer language sql immutable parallel safe
  return 1999 + width_bucket(day, '{
    1943-07-16, 1944-07-16, 1945-07-16, 1946-07-16, 1947-07-16, 1948-07-16, 1949-07-16, 1950-07-16, 1951-07-16,
    1952-07-16, 1953-07-16, 1954-07-16, 1955-07-16, 1956-07-16, 1957-07-16, 1958-07-16, 1959-07-16, 1960-07-16,
    1961-07-16, 1962-07-16, 1963-07-16, 1964-07-16, 1965-07-16, 1966-07-16, 1967-07-16, 1968-07-16, 1969-07-16,
    1970-07-16, 1971-07-17, 1972-07-16, 1973-07-16, 1974-07-16, 1975-07-17, 1976-07-16, 1977-07-16, 1978-07-16,
    1979-07-17, 1980-07-16, 1981-07-16, 1982-07-16, 1983-07-17, 1984-07-16, 1985-07-16, 1986-07-16, 1987-07-17,
    1988-07-16, 1989-07-16, 1990-07-16, 1991-07-17, 1992-07-16, 1993-07-16, 1994-07-16, 1995-07-17, 1996-07-16,
    1997-07-16, 1998-07-17, 1999-07-17, 2000-07-16, 2001-07-16, 2002-07-17, 2003-07-17, 2004-07-16, 2005-07-16,
    2006-07-17, 2007-07-17, 2008-07-16, 2009-07-16, 2010-07-17, 2011-07-17, 2012-07-16, 2013-07-16, 2014-07-17,
    2015-07-17, 2016-07-16, 2017-07-16, 2018-07-17, 2019-07-17, 2020-07-16, 2021-07-16, 2022-07-17, 2023-07-17,
    2024-07-16, 2025-07-17, 2026-07-17, 2027-07-17, 2028-07-16, 2029-07-17, 2030-07-17, 2031-07-17, 2032-07-16,
    2033-07-16
  }'::date[]);

create function fiscal_year(day date, kind text) returns text language sql immutable parallel safe
  return case kind when 'calendar' then extract(year from day)::text
    else nepal_fiscal_year(day) || '/' || right((nepal_fiscal_year(day) + 1)::text, 2) end;

create function bill_year_of(s seller) returns text language sql immutable
  return coalesce(s.bill_year,
    case when s.time_zone in ('Asia/Kathmandu', 'Asia/Katmandu') then 'nepal' else 'calendar' end);

create table bill (
  bill_id uuid primary key default gen_random_uuid(),
  seller_id bigint not null references seller,
  kind text not null check (kind in ('receipt', 'vat_bill', 'credit_note')),
  -- As it is written: 2083/84, or 2026.
  fiscal_year text not null,
  number integer not null check (number > 0),
  -- The whole number, as the bill shows it.
  label text not null,
  -- What the ledger booked, whose money it states.
  entry_id bigint not null unique references journal_entry,
  payment_id uuid not null references payment,
  -- The bill that a credit note corrects.
  corrects uuid references bill,
  currency text not null,
  amount numeric(14, 2) not null check (amount >= 0),
  -- The tax inside the amount; null when none applies.
  vat numeric(14, 2),
  -- By the seller's clock.
  issued_at timestamptz not null,
  -- Leads from its QR code to the page that confirms it.
  code uuid not null unique default gen_random_uuid(),
  -- All else that it says, as it was then.
  facts jsonb not null,
  unique (seller_id, kind, fiscal_year, number),
  check ((corrects is not null) = (kind = 'credit_note'))
);
create index on bill (seller_id, issued_at, entry_id);
create index on bill (payment_id);
create index on bill (corrects) where corrects is not null;

-- Its bytes, kept when it is first read: a later version of the program may write others.
create table bill_file (
  bill_id uuid primary key references bill,
  seller_id bigint not null references seller,
  content bytea not null
);
create index on bill_file (seller_id);
alter table bill_file alter column content set storage external;

-- Bills of what is booked and has none, of an account or of one entry. Numbers have no gaps, because each
-- is the next one after those that are stored, and one transaction at a time gives a seller's.
create function issue_bills(of_seller bigint, of_entry bigint default null) returns void
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
    with due as (
      select e.entry_id, e.booked_at, e.kind as cause, o.bill_id, o.payment_id,
        o.label, o.issued_at, o.currency, o.facts, s.bill_prefix, given.until - given.before as credited,
        -- The tax of all that went back, less the tax of what went back before.
        round(o.vat * given.until / nullif(o.amount, 0), 2)
          - round(o.vat * given.before / nullif(o.amount, 0), 2) as credited_vat,
        fiscal_year((e.booked_at at time zone zone_name(s.time_zone))::date, bill_year_of(s)) as credited_year
      from journal_entry e join seller s using (seller_id)
      join bill o on o.payment_id = e.payment_id and o.corrects is null
      -- The most that had gone back: a refund that replaces a failed one is in the first one's credit note.
      cross join lateral (
        select max(amount) as until, coalesce(max(amount) filter (where entry_id < e.entry_id), 0) as before
        from (
          select back.entry_id, sum(case back.kind when 'refund_failed' then -l.amount else l.amount end)
            over (order by back.entry_id) as amount
          from journal_entry back join journal_line l using (entry_id)
          where back.payment_id = e.payment_id and back.entry_id <= e.entry_id
            and back.kind in ('reversal', 'refund', 'provider_refund', 'refund_failed') and l.amount > 0) sums) given
      where e.seller_id = of_seller and (of_entry is null or e.entry_id = of_entry)
        and e.kind in ('reversal', 'refund', 'provider_refund') and given.until > given.before
        and not exists (select from bill b where b.entry_id = e.entry_id)
    ), numbered as (
      select due.*, row_number() over (partition by credited_year order by booked_at, entry_id) + coalesce((
        select max(b.number) from bill b where b.seller_id = of_seller and b.kind = 'credit_note'
          and b.fiscal_year = due.credited_year), 0) as next_number
      from due
    )
    insert into bill (seller_id, kind, fiscal_year, number, label, entry_id, payment_id, corrects, currency, amount,
      vat, issued_at, facts)
    select of_seller, 'credit_note', credited_year, next_number,
      bill_label(bill_prefix, 'C', credited_year, next_number), entry_id, payment_id, bill_id, currency, credited,
      credited_vat, booked_at,
      facts || jsonb_build_object('corrects', label, 'corrected_at', issued_at, 'cause', cause)
    from numbered;
  end if;
end $$;

create function bill_label(prefix text, letter text, fiscal_year text, number bigint) returns text
  language sql immutable
  return concat_ws('-', nullif(prefix, ''), letter, fiscal_year,
    lpad(number::text, greatest(5, length(number::text)), '0'));

select issue_bills(seller_id) from seller;

-- In the transaction that books, at its end. One that replaces whole accounts calls issue_bills itself.
create function bill_new_entry() returns trigger language plpgsql as $$
begin
  perform issue_bills(new.seller_id, new.entry_id);
  return null;
end $$;
create constraint trigger bill_entry after insert on journal_entry
  deferrable initially deferred for each row
  when (new.payment_id is not null and new.kind <> 'charge'
    and current_setting('duebook.changes', true) is distinct from 'off')
  execute function bill_new_entry();

create function refuse_change_of_bills() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' or current_setting('duebook.changes', true) is distinct from 'off' then
    raise 'bills are append-only' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger append_only before update or delete or truncate on bill
  for each statement execute function refuse_change_of_bills();
create trigger append_only before update or delete or truncate on bill_file
  for each statement execute function refuse_change_of_bills();
