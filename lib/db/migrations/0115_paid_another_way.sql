-- A buyer's word that they paid, at a service that cannot be told of it, and what a member found when checking it
-- (`of` is the contact, `found` whether the money was there).
alter table contact drop constraint contact_kind_check;
alter table contact add constraint contact_kind_check check
  (kind in ('reminder', 'note', 'promise', 'snooze', 'assign', 'courtesy', 'waive', 'says_paid', 'paid_checked'));
create index contact_said_paid on contact (seller_id, mode, id)
  where kind in ('says_paid', 'paid_checked') and undone_at is null;

-- What the service says beside the amount of a payment, and what can change afterwards: who recorded it, what was given
-- back, and whether it was taken back. Only of payments of which it says any of it.
create table payment_detail (
  seller_id uuid not null references seller on delete cascade,
  mode text not null check (mode in ('test', 'live')),
  payment_id text collate "C" not null,
  subscription_id text collate "C" not null,
  refunded numeric not null,
  refund_owed numeric not null,
  reversed_at timestamptz,
  -- id, by, approved_by, reference, received_on, has_photo; null for a payment at the checkout.
  recorded jsonb,
  primary key (seller_id, mode, payment_id)
);
create index payment_detail_money on payment_detail (seller_id, mode)
  where refunded > 0 or refund_owed > 0 or reversed_at is not null;
