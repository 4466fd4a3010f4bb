-- ADR 0260. All money that goes back is a row of refund: of a payment, or of a charge that came for nothing owed.
alter table refund
  -- The charge that goes back, where a provider has it; of a payment made another way null.
  add column charge_id uuid references charge,
  add column subscription_id uuid references subscription,
  -- requested: a person asked. The others: money came for nothing owed, and the service itself gives it back.
  add column cause text not null default 'requested'
    check (cause in ('requested', 'settled', 'changed', 'duplicate')),
  -- Where a person makes it.
  add column place text,
  -- Whether the provider may have made it already, so that a person has to look first.
  add column is_uncertain boolean not null default false,
  -- How often the provider refused it; each time it is sent under another key.
  add column refusals integer not null default 0,
  alter column payment_id drop not null,
  alter column reason drop not null,
  alter column requested_by_id drop not null,
  alter column requested_by drop not null,
  drop constraint refund_check,
  drop constraint refund_check1,
  add constraint refund_subject_check check (payment_id is not null or charge_id is not null),
  -- What a provider refused has not ended: a person decides what becomes of it.
  add constraint refund_ended_check
    check (state = 'refused' or (ended_at is not null) = (state = 'done')),
  add constraint refund_refusal_check check (state <> 'refused' or refusal is not null),
  add constraint refund_request_check check ((cause = 'requested') = (reason is not null)
    and (cause = 'requested') = (requested_by_id is not null)
    and (cause = 'requested') = (requested_by is not null));
alter table refund alter column cause drop default;

update refund r set subscription_id = p.subscription_id, charge_id = c.charge_id
from payment p left join charge c on c.attempt_id = p.attempt_id and c.is_booked
where p.payment_id = r.payment_id;

-- The provider knows them under the charge's id.
insert into refund (refund_id, seller_id, subscription_id, charge_id, amount, cause, state,
  provider_refund_id, tries, next_at, place, refusal, requested_at, ended_at)
select c.charge_id, c.seller_id, c.subscription_id, c.charge_id, c.amount,
  case when a.reason in ('changed', 'duplicate') then a.reason else 'settled' end,
  -- Whether one that is owed was sent is not known.
  case when c.refund_state = 'owed' and c.account_id is not null then 'sent' else c.refund_state end,
  c.refund_id, c.refund_tries,
  case when c.refund_state in ('owed', 'under_way') then coalesce(c.next_at, now()) end,
  case when c.refund_state = 'by_hand' then c.refund_text end,
  case when c.refund_state in ('owed', 'refused') then coalesce(c.refund_text,
    case c.refund_state when 'refused' then 'The provider refused it.' end) end,
  coalesce(c.approved_at, c.begun_at) + s.clock_offset_ms * interval '1 millisecond',
  case when c.refund_state = 'done' then
    coalesce(c.asked_at, c.approved_at, c.begun_at) + s.clock_offset_ms * interval '1 millisecond' end
from charge c join checkout_attempt a using (attempt_id) join seller s on s.seller_id = c.seller_id
where c.refund_state is not null;

alter table refund alter column subscription_id set not null;
-- Money that came for nothing goes back once.
create unique index one_refund_of_charge on refund (charge_id) where payment_id is null;
create index on refund (charge_id) where charge_id is not null;
create index on refund (subscription_id, requested_at desc, refund_id desc);
drop index refund_open;
create index refund_open on refund (seller_id, requested_at desc, refund_id desc)
  where ended_at is null;

update charge set next_at = null where refund_state in ('owed', 'under_way', 'done');
alter table charge
  drop column refund_state,
  drop column refund_id,
  drop column refund_tries,
  drop column refund_text;
