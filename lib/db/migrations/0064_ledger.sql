-- When Duebook last asked the service by itself to send its webhooks here; null before it did.
alter table receiver add column asked_at timestamptz;

-- A payment that the record shows and no delivery told of is in the ledger too: the service confirms it.
-- A delivery that comes afterwards takes its place in the same row.
alter table proof
  alter column received_delivery_id drop not null,
  drop constraint proof_known_by_check,
  add constraint proof_known_by_check
    check (known_by in ('delivery', 'subscription', 'later', 'unknown', 'record')),
  -- Null where nobody can say whether it was the first.
  add column is_renewal boolean;
-- Nothing that was proven changes by it.
alter table proof disable trigger proof_append_only;
update proof p set is_renewal = d.old_status <> 'pending_checkout'
  from received_delivery d
 where d.seller_id = p.seller_id and d.mode = p.mode and d.id = p.received_delivery_id;
alter table proof enable trigger proof_append_only;

-- The payment of the ledger that a change showed; null until it was looked for. Where a service gives no
-- start, a date that somebody moved looks like a renewal: then only a delivery tells.
alter table mirror_change
  add column proof_id bigint,
  add column shows_payment boolean not null generated always as (
    is_first_payment(old_status, new_status)
    or new_period_start is not null
      and is_renewal_payment(old_status, new_status, old_period_start, new_period_start)) stored;
create index mirror_change_unsettled on mirror_change (seller_id, mode, id)
  where shows_payment and proof_id is null;
create index mirror_change_proof on mirror_change (seller_id, mode, subscription_id, proof_id)
  where proof_id is not null;

-- Only an amount that nobody knew can be added, and a delivery to what none told of, each once.
create or replace function refuse_proof_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- With its seller, which is gone by then.
    if not exists (select 1 from seller where id = old.seller_id) then return old; end if;
  elsif (new.id, new.seller_id, new.mode, new.subscription_id, new.at)
      = (old.id, old.seller_id, old.mode, old.subscription_id, old.at)
    and (old.received_delivery_id is null and new.received_delivery_id is not null
      or old.amount is null and new.amount is not null
        and (new.received_delivery_id, new.delivery_id, new.said_at, new.is_renewal)
          is not distinct from (old.received_delivery_id, old.delivery_id, old.said_at, old.is_renewal))
  then return new;
  end if;
  raise exception 'proof is append-only';
end
$$;

-- One payment may be told of and seen at one moment: whoever keeps either waits for the other.
create function lock_ledger(owner uuid, its_mode text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('ledger ' || its_mode || owner, 0));
$$;
