-- Comparisons of an account with what its provider says of it (ADR 0060).
alter table payment_account
  -- When it is compared next, null for a day after it was set up; moved ahead while that runs.
  add column compare_at timestamptz,
  -- Since when a person waits for it.
  add column compare_asked_at timestamptz;

create index charge_transaction on charge (account_id, transaction_id)
  where transaction_id is not null;
create index charge_approved on charge (account_id, approved_at) where approved_at is not null;

create table comparison (
  comparison_id bigint generated always as identity primary key,
  seller_id bigint not null references seller,
  account_id bigint not null references payment_account,
  source text not null check (source in ('daily', 'asked', 'statement')),
  compared_at timestamptz not null,
  -- Until when the list or statement lacks nothing; null where that is not known.
  covers_to timestamptz,
  -- Payments that were asked about one by one.
  asked integer not null,
  listed integer not null,
  matched integer not null,
  statement_only integer not null,
  service_only integer not null,
  differing integer not null,
  unclear integer not null,
  -- Why it is not complete.
  problem text
);
create index on comparison (account_id, compared_at desc, comparison_id desc);
create index on comparison (seller_id);
