-- Why a buyer leaves: noted when a member cancels, as a contact whose detail has `reason` (of the seller's
-- list) and `text`, each if it was said.
alter table contact drop constraint contact_kind_check;
alter table contact add constraint contact_kind_check check
  (kind in ('reminder', 'note', 'promise', 'snooze', 'assign', 'courtesy', 'waive', 'says_paid', 'paid_checked',
            'leave'));
create index contact_leaving on contact (seller_id, mode, at) where kind = 'leave' and undone_at is null;

-- What is offered to choose from: names of Duebook's own reasons, which every language has, or the seller's words.
alter table seller
  add column leave_reasons text[] not null default
    '{too_expensive,not_used,not_satisfied,other_provider,moved_away,closing}',
  add column needs_leave_reason boolean not null default false;

-- Asked once for all subscriptions of a run that cancels.
alter table bulk_run add column leave_reason text, add column leave_words text;
