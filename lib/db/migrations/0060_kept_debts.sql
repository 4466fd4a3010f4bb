-- What a buyer owed when their billing date was moved stands with the courtesy that moved it (ADR 0234):
-- kept until it is paid or waived, or forgiven. courtesy: owed ('kept' or 'forgiven'), amount, currency,
-- since, payments, cycle (the date that had passed), start (of the period then). waive: reason, text.
alter table contact drop constraint contact_kind_check;
alter table contact add constraint contact_kind_check check
  (kind in ('reminder', 'note', 'promise', 'snooze', 'assign', 'courtesy', 'waive'));

-- Of the last courtesy that settled what was owed; written by triggers alone, like the rest.
alter table collection_state
  add column debt_id bigint,
  add column debt_amount numeric,
  add column debt_currency text,
  add column debt_since date,
  -- How many payments that is.
  add column debt_payments integer,
  -- Where the record still names this date, nothing has moved yet: it is due, and owes nothing twice.
  add column debt_cycle timestamptz,
  add column debt_start timestamptz,
  -- Payments since: that the copy saw, and that a delivery proved. One payment may be told by both.
  add column debt_seen integer not null default 0,
  add column debt_proven integer not null default 0,
  add column debt_waived boolean not null default false,
  add column debt_left numeric generated always as (
    case when not debt_waived and greatest(debt_seen, debt_proven) < debt_payments
         then round(debt_amount * (debt_payments - greatest(debt_seen, debt_proven)) / debt_payments, 2)
    end) stored;
create index collection_state_debt on collection_state (seller_id, mode, subscription_id)
  where debt_left is not null;

-- A payment begins a new period; moving a date does not. What was seen late, of before it was kept, is none.
create function pay_seen_debts() returns trigger language plpgsql as $$
begin
  update collection_state k set debt_seen = k.debt_seen + paid.payments
    from (select o.seller_id, o.mode, o.subscription_id, count(*) as payments
            from noted n
            join collection_state o on o.seller_id = n.seller_id and o.mode = n.mode
             and o.subscription_id = n.subscription_id
           where o.debt_amount is not null
             and n.new_period_start > greatest(n.old_period_start, o.debt_start)
           group by 1, 2, 3) paid
   where k.seller_id = paid.seller_id and k.mode = paid.mode
     and k.subscription_id = paid.subscription_id;
  return null;
end
$$;
create trigger mirror_change_pays after insert on mirror_change
  referencing new table as noted
  for each statement execute function pay_seen_debts();

-- Of the date that had passed or a later one, by the sender's clock; the clocks may be an hour apart.
create function pay_proven_debt() returns trigger language plpgsql as $$
begin
  update collection_state set debt_proven = debt_proven + 1
   where seller_id = new.seller_id and mode = new.mode and subscription_id = new.subscription_id
     and debt_amount is not null
     and coalesce(new.said_at, new.at) + interval '1 hour' >= coalesce(debt_cycle, '-infinity');
  return null;
end
$$;
create trigger proof_pays after insert on proof
  for each row execute function pay_proven_debt();

-- What becomes of what the due ones of a run owe, and why: 'kept' or 'forgiven'; null where none were due.
alter table bulk_run
  add column owed text check (owed in ('kept', 'forgiven')),
  add column owed_reason text,
  add column owed_words text;
