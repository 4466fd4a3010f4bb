-- What buyers ask for on their page, which the seller accepts or declines.
create table buyer_request (
  request_id uuid primary key default gen_random_uuid(),
  seller_id bigint not null references seller on delete cascade,
  subscription_id uuid not null references subscription,
  kind text not null check (kind in ('pause', 'stop')),
  -- The billing date that a pause asks for.
  until date,
  -- The buyer's own words; empty without.
  words text not null,
  state text not null default 'open'
    check (state in ('open', 'accepted', 'declined', 'withdrawn')),
  -- By the seller's clock.
  asked_at timestamptz not null,
  ended_at timestamptz,
  answered_by text,
  -- What the buyer is told with the answer; empty without.
  answer text not null default '',
  check ((kind = 'pause') = (until is not null)),
  check ((state = 'open') = (ended_at is null)),
  check ((state in ('accepted', 'declined')) = (answered_by is not null))
);
create unique index one_open_request on buyer_request (subscription_id) where state = 'open';
create index on buyer_request (subscription_id, asked_at desc);
create index on buyer_request (seller_id, asked_at desc, request_id desc);
