-- ADR 0230. What became of every subscription, kept for good: the feed of changes tells states, and for some days only.
create table subscription_change (
  seller_id bigint not null,
  subscription_id uuid not null references subscription on delete cascade,
  sequence bigint generated always as identity,
  -- The feed tells these rows with the subscription that the same transaction recorded.
  transaction xid8 not null default pg_current_xact_id(),
  -- Real time, also where a sandbox clock is ahead.
  recorded_at timestamptz not null default clock_timestamp(),
  old_status text not null,
  new_status text not null,
  old_pbp_id text not null,
  new_pbp_id text not null,
  old_period_start timestamptz,
  new_period_start timestamptz,
  old_next_billing timestamptz,
  new_next_billing timestamptz,
  primary key (seller_id, sequence)
);
create index on subscription_change (subscription_id);

-- Since when every change of the account's subscriptions is kept: for an account of before, since now.
alter table seller add column history_from timestamptz not null default now();

create function keep_subscription_changes() returns trigger language plpgsql as $$
begin
  insert into subscription_change (seller_id, subscription_id, old_status, new_status, old_pbp_id, new_pbp_id,
    old_period_start, new_period_start, old_next_billing, new_next_billing)
  select n.seller_id, n.subscription_id, o.status, n.status, o.pbp_id, n.pbp_id,
    o.current_period_start, n.current_period_start, o.next_billing_cycle, n.next_billing_cycle
  from new_rows n join old_rows o using (subscription_id)
  where (n.status, n.pbp_id, n.current_period_start, n.next_billing_cycle)
    is distinct from (o.status, o.pbp_id, o.current_period_start, o.next_billing_cycle);
  return null;
end $$;
create trigger history_kept after update on subscription
  referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('duebook.changes', true) is distinct from 'off')
  execute function keep_subscription_changes();
