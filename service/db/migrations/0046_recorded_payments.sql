-- ADR 0260. What buyers paid without the checkout, as members of the seller recorded it, and money given back.
alter table seller
  -- A recorded payment above this amount counts when a second member has approved it; null without a limit.
  add column approve_payments_above numeric(14, 2) check (approve_payments_above >= 0);

alter table payment
  -- Set for good when a member says that a recorded payment was none.
  add column reversed_at timestamptz,
  -- What was given back, and that with what still has to be; refused refunds do not count.
  add column refunded numeric(14, 2) not null default 0,
  add column refunds numeric(14, 2) not null default 0,
  add constraint payment_refunds_check check (0 <= refunded and refunded <= refunds and refunds <= amount),
  add constraint payment_reversed_check check (reversed_at is null or refunds = 0);

-- As before, but a reversed payment does not pay its period.
alter table payment drop constraint one_payment_per_period;
create unique index one_payment_per_period on payment (subscription_id, schedule, period_start)
  where reversed_at is null;
create index payment_by_subscription on payment (subscription_id, period_start desc);

create table recorded_payment (
  recorded_id uuid primary key,
  seller_id bigint not null references seller,
  subscription_id uuid not null references subscription,
  state text not null check (state in ('waiting', 'counted', 'declined', 'reversed')),
  method text not null check (method in ('cash', 'transfer', 'other')),
  amount numeric(14, 2) not null check (amount >= 0),
  currency text not null,
  -- What is paid for, as of the record: the billing date, null before the first payment.
  schedule integer not null,
  period_start timestamptz,
  reference text not null,
  received_on date not null,
  photo_id uuid,
  recorded_by_id text not null,
  recorded_by text not null,
  recorded_at timestamptz not null,
  -- Who approved, declined or reversed it last, and why; null until then.
  decided_by_id text,
  decided_by text,
  decided_at timestamptz,
  reason text,
  approved_by text,
  payment_id uuid unique references payment,
  check ((payment_id is not null) = (state in ('counted', 'reversed'))),
  check ((reason is not null) = (state in ('declined', 'reversed'))),
  check (state = 'counted' or (decided_at is not null) = (state <> 'waiting'))
);
create unique index one_waiting_payment on recorded_payment (subscription_id) where state = 'waiting';
create index on recorded_payment (subscription_id, recorded_at desc);
create index on recorded_payment (seller_id, recorded_at desc, recorded_id desc);
create index recorded_payment_waiting on recorded_payment (seller_id, recorded_at desc, recorded_id desc)
  where state = 'waiting';

-- In the database and nowhere else, so that no address of the service leads to them. Photos that a
-- saved state of the sandbox names stay, so they do not belong to their row.
create table payment_photo (
  photo_id uuid primary key,
  seller_id bigint not null references seller on delete cascade,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'application/pdf')),
  content bytea not null check (length(content) between 1 and 5242880),
  uploaded_at timestamptz not null
);
create index on payment_photo (seller_id);
alter table payment_photo alter column content set storage external;

create table refund (
  refund_id uuid primary key,
  seller_id bigint not null references seller,
  payment_id uuid not null references payment,
  amount numeric(14, 2) not null check (amount > 0),
  reason text not null,
  state text not null check (state in ('owed', 'sent', 'under_way', 'done', 'refused', 'by_hand')),
  -- The provider's name of it, how often it was sent, and when it is sent or asked about next.
  provider_refund_id text,
  tries integer not null default 0,
  next_at timestamptz,
  requested_by_id text not null,
  requested_by text not null,
  requested_at timestamptz not null,
  -- Of what a person made and confirmed, such as a transfer's number.
  reference text,
  -- Why it was refused.
  refusal text,
  ended_by text,
  ended_at timestamptz,
  check ((ended_at is not null) = (state in ('done', 'refused'))),
  check ((refusal is not null) = (state = 'refused'))
);
create index on refund (payment_id);
create index on refund (seller_id, requested_at desc, refund_id desc);
create index refund_open on refund (seller_id, requested_at desc, refund_id desc)
  where state not in ('done', 'refused');
create index refund_to_send on refund (next_at) where state in ('owed', 'sent', 'under_way');
