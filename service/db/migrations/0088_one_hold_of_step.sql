-- A step could be held more than once in one period, so that removing one hold did not end the others.
delete from reminder_hold h using reminder_hold first
 where first.seller_id = h.seller_id and first.subscription_id = h.subscription_id
   and first.step_id = h.step_id and first.schedule is not distinct from h.schedule
   and first.period_start is not distinct from h.period_start and first.hold_id < h.hold_id;
create unique index one_hold_of_step
  on reminder_hold (seller_id, subscription_id, step_id, schedule, period_start) nulls not distinct
  where step_id is not null;

-- Saved states hold such rows too.
with saved as (
  select p.seller_id, p.state_id, p.part, one.hold, one.place, row_number() over (
      partition by p.seller_id, p.state_id, one.hold->'subscription_id', one.hold->'step_id', one.hold->'schedule',
        one.hold->'period_start' order by p.part, one.place) as copy
    from sandbox_state_part p, jsonb_array_elements(p.rows) with ordinality one (hold, place)
   where p.table_name = 'reminder_hold'),
kept as (
  select seller_id, state_id, part, coalesce(jsonb_agg(hold order by place) filter (where copy = 1), '[]') as rows
    from saved group by seller_id, state_id, part having max(copy) > 1)
update sandbox_state_part p set rows = k.rows
  from kept k
 where p.seller_id = k.seller_id and p.state_id = k.state_id and p.table_name = 'reminder_hold' and p.part = k.part;
