-- Reminders that another program plans, for subscriptions of another service. What they say is filled in as they are
-- sent, with the address that ends them: texts (text, sms, parameters).
create table handed_reminder (
  message_id uuid primary key references message on delete cascade,
  recipient_id bigint not null references reminder_recipient on delete cascade,
  texts jsonb not null
);
create index on handed_reminder (recipient_id);

-- How an opt-out came; null for those from before this was kept, and for who has not opted out.
alter table reminder_recipient
  add opted_out_how text check (opted_out_how in ('link', 'reply', 'member')),
  add opted_out_reason text;
