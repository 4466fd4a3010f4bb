-- By what a seller's buyers pay: accounts at payment providers, and one row for each try there.
create table payment_account (
  account_id bigint generated always as identity primary key,
  seller_id bigint not null references seller,
  mode text not null check (mode in ('test', 'live')),
  provider text not null,
  -- What buyers read in place of the provider's name.
  label text,
  -- The provider's settings as JSON, encrypted like signing secrets; null once it is removed.
  sealed_settings bytea,
  position integer not null,
  -- Amounts that it takes, within what the provider takes.
  least numeric(14, 2),
  most numeric(14, 2),
  is_active boolean not null default true,
  -- The unguessable part of the addresses for returns and notices.
  account_key uuid not null default gen_random_uuid() unique,
  -- Why the provider refused the settings, until it answers again.
  problem text,
  problem_at timestamptz,
  -- Questions in a row that were not answered, and until when none is asked.
  faults integer not null default 0,
  rests_until timestamptz,
  version uuid not null default gen_random_uuid(),
  created_at timestamptz not null,
  removed_at timestamptz
);
create unique index payment_account_in_use on payment_account (seller_id, mode, provider)
  where removed_at is null;

alter table checkout_attempt
  -- Null for the sandbox's wallet and bank.
  add column account_id bigint references payment_account,
  -- Each provider has references of its own.
  drop constraint checkout_attempt_provider_reference_key;
create index on checkout_attempt (seller_id, provider_reference)
  where provider_reference is not null;
create index checkout_attempt_no_charge on checkout_attempt (created_at)
  where state = 'pending' and account_id is not null;

create table charge (
  charge_id uuid primary key,
  attempt_id uuid not null references checkout_attempt,
  seller_id bigint not null references seller,
  subscription_id uuid not null,
  account_id bigint references payment_account,
  -- Null until the provider names it.
  reference text,
  amount numeric(14, 2) not null,
  currency text not null,
  -- claimed: its begin is under way, or was cut off. unseen: no buyer was sent to it.
  state text not null check (state in
    ('claimed', 'unseen', 'refused', 'open', 'held', 'failed', 'left', 'approved')),
  hand_over jsonb,
  begun_at timestamptz not null,
  -- Until when another process leaves a claimed one alone.
  leased_until timestamptz,
  -- A form can be sent once, so that a second showing needs another charge.
  shown_at timestamptz,
  -- When the provider ends it unpaid, by the real clock.
  expires_at timestamptz,
  -- The provider's last answer, in a word.
  answer text,
  asked_at timestamptz,
  times_asked integer not null default 0,
  -- When it is asked about, or given back, next; null if never.
  next_at timestamptz,
  -- Since when it is failed, left or held.
  ended_at timestamptz,
  answered_amount numeric(14, 2),
  answered_currency text,
  transaction_id text,
  fee numeric(14, 2),
  approved_at timestamptz,
  -- Whether it is what its attempt was paid with; another approved one goes back.
  is_booked boolean not null default false,
  refund_state text check (refund_state in ('owed', 'under_way', 'done', 'refused', 'by_hand')),
  refund_id text,
  refund_tries integer not null default 0,
  -- Where it is given back by hand, or why the provider refused to.
  refund_text text,
  -- What the provider says went back to the buyer.
  refunded_amount numeric(14, 2)
);
create unique index charge_reference on charge (coalesce(account_id, 0), reference)
  where reference is not null;
create index on charge (attempt_id, begun_at);
create index charge_due on charge (account_id, next_at) where next_at is not null;
create index charge_next on charge (next_at) where next_at is not null;
create index charge_for_a_person on charge (seller_id, begun_at)
  where state = 'held' or refund_state in ('owed', 'under_way', 'refused', 'by_hand');

insert into charge (charge_id, attempt_id, seller_id, subscription_id, reference, amount, currency,
  state, hand_over, begun_at, is_booked, refund_state, answered_amount, answered_currency,
  transaction_id, approved_at)
select gen_random_uuid(), a.attempt_id, a.seller_id, a.subscription_id, a.provider_reference,
  a.amount, a.currency,
  case a.state when 'pending' then 'open' else 'approved' end,
  jsonb_build_object('kind', 'redirect', 'url', a.provider_page), a.created_at, false,
  case a.state when 'returning' then 'owed' end,
  case a.state when 'returning' then a.amount end,
  case a.state when 'returning' then a.currency end,
  case a.state when 'returning' then a.provider_reference end,
  case a.state when 'returning' then a.created_at end
from checkout_attempt a
where a.state in ('pending', 'returning') and a.provider_reference is not null
  and a.amount is not null and a.currency is not null;

alter table checkout_attempt drop column provider_page;

-- A notice that comes again asks nothing again.
create table payment_notice (
  account_id bigint not null references payment_account,
  digest bytea not null,
  received_at timestamptz not null,
  primary key (account_id, digest)
);
create index on payment_notice (received_at);
