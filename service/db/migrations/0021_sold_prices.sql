-- A sold price stays: a billing period keeps the VAT with which it is sold, as it keeps its price.
alter table billing_period
  add column is_vat_active boolean not null default false,
  add column vat_type text not null default 'inclusive' check (vat_type in ('inclusive', 'exclusive')),
  add column vat_percentage numeric(5, 2) not null default 0 check (vat_percentage between 0 and 100),
  add column replaces text references billing_period;
update billing_period b
   set is_vat_active = p.is_vat_active, vat_type = p.vat_type, vat_percentage = p.vat_percentage
  from plan l join product p using (product_id) where l.plan_id = b.plan_id;

-- Subscribers of an archived period who are asked another one's price from their next billing date.
create table period_move (
  move_id bigint generated always as identity primary key,
  seller_id bigint not null references seller,
  from_pbp_id text not null references billing_period,
  to_pbp_id text not null references billing_period,
  -- By the seller's clock: periods that begin on a later day have the new price.
  created_at timestamptz not null,
  undone_at timestamptz
);
create index on period_move (seller_id, move_id);
create index on period_move (to_pbp_id);
-- Null once the subscription has the new period, and without a move.
alter table subscription add column move_id bigint references period_move;
create index subscription_by_move on subscription (move_id) where move_id is not null;

-- VAT: the tax inside the amount, null where none applies. Fee: null if an older program wrote the row.
alter table payment
  add column vat numeric(14, 2),
  add column fee numeric(14, 2);
update payment p set fee = round(p.amount * 0.0199, 2),
  vat = (select a.vat from checkout_attempt a where a.attempt_id = p.attempt_id);
create index payment_by_time on payment (seller_id, paid_at desc, payment_id desc);
