-- The language that a member chose for a buyer's reminders; null for that of the last message.
alter table customer add column if not exists language text;
