-- The two texts that a seller could have until now are reminders of theirs: in the language of their
-- letters, and said wherever they were said before.
insert into reminder_text (seller_id, kind, language, channel, body, updated_at)
select t.seller_id, said.kind,
       case when char_length(regexp_replace(t.words, '[^ऀ-ॿ]', '', 'g'))
               > char_length(regexp_replace(t.words, '[^A-Za-z]', '', 'g')) then 'ne' else 'en' end,
       carried.channel, t.body, t.updated_at
  from (select *, regexp_replace(body, '\{[^{}]*\}', '', 'g') as words from message_text) as t
  join (values ('first_payment', 'waiting'), ('renewal', 'soon'), ('renewal', 'due'))
       as said(was, kind) on said.was = t.kind
 cross join (values ('any'), ('sms')) as carried(channel)
    on conflict do nothing;
drop table message_text;

-- What stands above a mail is a text as well.
alter table reminder_text drop constraint reminder_text_channel_check;
alter table reminder_text add constraint reminder_text_channel_check
  check (channel in ('any', 'whatsapp', 'viber', 'sms', 'mail', 'subject'));
