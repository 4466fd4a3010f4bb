-- Between the code and its result a payment is in its provider's hands.
alter table checkout_attempt drop constraint checkout_attempt_state_check;
update checkout_attempt set state = 'failed' where state = 'declined';
alter table checkout_attempt
  add check (state in ('open', 'spent', 'pending', 'paid', 'failed', 'returning', 'returned')),
  -- What the buyer agreed to pay for: money for anything else goes back.
  add column pbp_id text references billing_period,
  add column period_start timestamptz,
  add column schedule integer,
  add column amount numeric(14, 2),
  add column currency text,
  add column provider_reference text unique,
  add column provider_page text,
  -- Why it failed, or why its money went back.
  add column reason text;
create index checkout_attempt_unanswered on checkout_attempt (created_at)
  where state in ('pending', 'returning');

alter table payment add column attempt_id uuid unique references checkout_attempt;

-- Null until the buyer does something; abandoned_at is set once, with the event that says so.
alter table subscription
  add column checkout_activity_at timestamptz,
  add column abandoned_at timestamptz;
create index checkout_idle on subscription ((coalesce(checkout_activity_at, created_at)))
  where status = 'pending_checkout' and abandoned_at is null;

-- The sandbox provider's own book: what a wallet or bank would keep.
create table sandbox_charge (
  reference uuid primary key,
  attempt_id uuid not null unique references checkout_attempt,
  seller_id bigint not null references seller,
  choice text check (choice in
    ('approve', 'decline', 'insufficient_balance', 'time_out', 'abandon')),
  -- Since the choice: the first answer is always "pending".
  times_asked integer not null default 0,
  returned_at timestamptz
);
