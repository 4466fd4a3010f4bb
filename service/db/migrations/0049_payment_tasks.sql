-- Money that a person has to look at (ADR 0260).
create table payment_task (
  task_id uuid primary key,
  seller_id bigint not null references seller,
  -- held: the provider's answer neither pays nor fails. refunded_by_provider, disputed, denied: of what is paid.
  -- statement_only, service_only, amount_differs: found by a comparison with the provider's statement.
  kind text not null check (kind in ('held', 'refunded_by_provider', 'disputed', 'denied', 'statement_only',
    'service_only', 'amount_differs', 'refund_refused')),
  -- What it is about, as far as that is known here.
  charge_id uuid references charge,
  payment_id uuid references payment,
  refund_id uuid references refund,
  subscription_id uuid references subscription,
  account_id bigint references payment_account,
  -- What the provider calls it.
  reference text,
  -- By the service, and as the provider says.
  amount numeric(14, 2),
  currency text,
  answered_amount numeric(14, 2),
  answered_currency text,
  -- The provider's own word, or a few words of what was found.
  detail text,
  -- By the seller's clock, like all times of payments.
  opened_at timestamptz not null,
  -- When a person last had the provider asked.
  asked_at timestamptz,
  closed_at timestamptz,
  -- Null if it closed by itself.
  closed_by_id text,
  closed_by text,
  decision text,
  note text,
  check ((closed_at is not null) = (decision is not null)),
  check ((closed_by_id is null) = (closed_by is null)),
  check (charge_id is not null or payment_id is not null or refund_id is not null or reference is not null)
);
-- One open task about one thing.
create unique index payment_task_of_charge on payment_task (charge_id, kind)
  where closed_at is null and charge_id is not null;
create unique index payment_task_of_refund on payment_task (refund_id, kind)
  where closed_at is null and refund_id is not null and charge_id is null;
create unique index payment_task_of_payment on payment_task (payment_id, kind)
  where closed_at is null and payment_id is not null and charge_id is null and refund_id is null;
create unique index payment_task_of_reference on payment_task (seller_id, coalesce(account_id, 0), reference, kind)
  where closed_at is null and charge_id is null and payment_id is null and refund_id is null;
create index payment_task_open on payment_task (seller_id, opened_at desc, task_id desc) where closed_at is null;
create index payment_task_closed on payment_task (seller_id, closed_at desc, task_id desc) where closed_at is not null;
create index payment_task_by_charge on payment_task (charge_id) where charge_id is not null;
create index payment_task_by_subscription on payment_task (subscription_id) where subscription_id is not null;
create index on payment_task (payment_id) where payment_id is not null;
create index on payment_task (refund_id) where refund_id is not null;
create index on payment_task (account_id, reference) where reference is not null;

insert into payment_task (task_id, seller_id, kind, charge_id, subscription_id, account_id, reference, amount,
  currency, answered_amount, answered_currency, detail, opened_at)
select gen_random_uuid(), c.seller_id, 'held', c.charge_id, c.subscription_id, c.account_id, c.reference, c.amount,
  c.currency, c.answered_amount, c.answered_currency, c.answer,
  coalesce(c.ended_at, c.begun_at) + s.clock_offset_ms * interval '1 millisecond'
from charge c join seller s using (seller_id) where c.state = 'held';

insert into payment_task (task_id, seller_id, kind, charge_id, payment_id, subscription_id, account_id, reference,
  amount, currency, answered_amount, answered_currency, opened_at)
select gen_random_uuid(), c.seller_id, 'refunded_by_provider', c.charge_id, p.payment_id, c.subscription_id,
  c.account_id, c.reference, c.amount, c.currency, c.refunded_amount, c.currency,
  now() + s.clock_offset_ms * interval '1 millisecond'
from charge c join seller s using (seller_id) join payment p on p.attempt_id = c.attempt_id
where c.is_booked and c.refunded_amount is not null;
