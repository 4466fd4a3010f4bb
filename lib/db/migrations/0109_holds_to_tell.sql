-- What the billing service is still to be told about the reminders of a subscription: written with
-- the promise or snooze that holds them, so that neither is lost without the other.
create table hold_to_tell (
  seller_id uuid not null,
  mode text not null,
  subscription_id text not null,
  -- The first day on which reminders go again; null to end the hold.
  until date,
  -- A later promise has another one, which an answer to the earlier one does not settle.
  version uuid not null default gen_random_uuid(),
  tries integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  claim uuid,
  claimed_until timestamptz,
  primary key (seller_id, mode, subscription_id),
  foreign key (seller_id, mode) references billing_account on delete cascade
);

create function hold_reminders_of_contact() returns trigger language plpgsql as $$
begin
  if new.kind not in ('promise', 'snooze') then
    return null;
  end if;
  insert into hold_to_tell (seller_id, mode, subscription_id, until)
  select k.seller_id, k.mode, k.subscription_id, greatest(k.promised_for + 1, k.snoozed_until)
    from collection_state k
    join billing_account a on a.seller_id = k.seller_id and a.mode = k.mode
   where k.seller_id = new.seller_id and k.mode = new.mode
     and k.subscription_id = new.subscription_id
  on conflict (seller_id, mode, subscription_id) do update
    set until = excluded.until, version = excluded.version, tries = 0,
        next_at = excluded.next_at;
  return null;
end
$$;

-- After contact_state by its name, whose result it reads.
create trigger contact_tells_hold after insert or update on contact
  for each row execute function hold_reminders_of_contact();
