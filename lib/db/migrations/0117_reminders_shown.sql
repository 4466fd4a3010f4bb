-- A planned reminder by what it is about, so that the desk can list it; with the message that it became, as the
-- service said last, and a member's hold.
alter table planned_reminder
  add column id bigint generated always as identity unique,
  add column step_id bigint,
  add column subscription_id text collate "C",
  -- The billing date, or when the checkout that was left was made.
  add column moment timestamptz,
  add column is_held boolean not null default false,
  add column message_id text,
  add column state text,
  add column channel text,
  add column sent_at timestamptz;
update planned_reminder
   set step_id = substring(cause from '^(\d+):')::bigint,
       subscription_id = substring(cause from '^\d+:(.*):.{24}$'),
       moment = right(cause, 24)::timestamptz;
alter table planned_reminder
  drop constraint planned_reminder_pkey,
  drop column cause,
  alter column step_id set not null,
  alter column subscription_id set not null,
  alter column moment set not null,
  add primary key (seller_id, mode, subscription_id, step_id, moment);
create index planned_reminder_on_its_way on planned_reminder (seller_id, mode) where state in ('queued', 'sending');
create index planned_reminder_message on planned_reminder (message_id);
create index planned_reminder_sent on planned_reminder (seller_id, mode, sent_at);
