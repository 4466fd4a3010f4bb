-- The sweep asks which records time moves next, whatever their number: each knows its own moment.
alter table subscription add column next_transition_at timestamptz;

-- How far a sandbox seller's clock is ahead; 0 in live mode, where nothing moves it.
alter table seller add column clock_offset_ms bigint not null default 0;

-- PostgreSQL reads a bare offset such as +05:45 the other way round, so it gets the POSIX form of it.
create function zone_name(time_zone text) returns text language sql immutable parallel safe
  return case when time_zone ~ '^[+-]' then
    '<zone>' || translate(left(time_zone, 1), '+-', '-+') || regexp_replace(
      rpad(replace(substr(time_zone, 2), ':', ''), 4, '0'), '^(..)', '\1:')
    else time_zone end;

-- The first moment of the day that comes `days` days after that moment's day there.
create function day_start(moment timestamptz, days integer, time_zone text) returns timestamptz
  language plpgsql stable parallel safe as $$
declare
  zone text := zone_name(time_zone);
  day date;
  start timestamptz;
begin
  day := (moment at time zone zone)::date + days;
  start := day::timestamp at time zone zone;
  -- Where clocks go back over midnight, PostgreSQL names the later one of the two.
  if ((start - interval '1 hour') at time zone zone)::date = day then
    return start - interval '1 hour';
  end if;
  return start;
exception when invalid_parameter_value then
  -- A zone that PostgreSQL does not know: the earliest it can be anywhere. It is only looked for then.
  return (moment at time zone 'UTC')::date::timestamp at time zone 'UTC' + (days - 1) * interval '1 day';
end $$;

-- As `nextStep` in service/lifecycle/elapsed.ts says it; that one decides, this one finds.
create function transition_moment
  (status text, next_billing_cycle timestamptz, time_zone text, grace_days smallint)
  returns timestamptz language sql stable parallel safe
  return case
    when status in ('active', 'pending_cancellation')
      then day_start(next_billing_cycle, 1, time_zone)
    when status = 'due'
      then day_start(next_billing_cycle, 1 + grace_days, time_zone)
  end;

-- In the same write, whoever makes it.
create function set_next_transition() returns trigger language plpgsql as $$
begin
  new.next_transition_at := case when new.next_billing_cycle is not null then
    (select transition_moment(new.status, new.next_billing_cycle, s.time_zone, s.grace_days)
     from seller s where s.seller_id = new.seller_id) end;
  return new;
end $$;
create trigger set_next_transition before insert or update of status, next_billing_cycle
  on subscription for each row execute function set_next_transition();

-- A seller who moves to another zone, or grants another time, moves all of them.
create function move_transitions() returns trigger language plpgsql as $$
begin
  update subscription s set next_transition_at =
    transition_moment(s.status, s.next_billing_cycle, new.time_zone, new.grace_days)
  where s.seller_id = new.seller_id and s.next_billing_cycle is not null;
  return null;
end $$;
create trigger move_transitions after update of time_zone, grace_days on seller
  for each row when (old.time_zone <> new.time_zone or old.grace_days <> new.grace_days)
  execute function move_transitions();

update subscription sub set next_transition_at =
  transition_moment(sub.status, sub.next_billing_cycle, s.time_zone, s.grace_days)
from seller s where s.seller_id = sub.seller_id and sub.next_billing_cycle is not null;

drop index subscription_by_billing_date;
create index subscription_by_transition on subscription (next_transition_at)
  where next_transition_at is not null;
-- For sellers whose clocks are ahead of the others'.
create index subscription_by_seller_transition on subscription (seller_id, next_transition_at)
  where next_transition_at is not null;
create index seller_with_moved_clock on seller (seller_id) where clock_offset_ms <> 0;
