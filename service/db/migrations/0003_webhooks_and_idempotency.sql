create table webhook (
  id bigint generated always as identity primary key,
  seller_id bigint not null references seller,
  event text not null check (event in
    ('checkout.succeeded', 'checkout.failed', 'subscription.status_changed')),
  endpoint_url text not null,
  is_active boolean not null default true,
  -- Sealed with AES-256-GCM: nonce, tag, text.
  sealed_secret bytea not null,
  created_at timestamptz not null
);
create index on webhook (seller_id, id desc);

-- The answer to each write that named a key; written in the write's own transaction.
create table idempotency_key (
  seller_id bigint not null references seller,
  key text not null check (length(key) between 1 and 255),
  request_hash bytea not null,
  status smallint not null,
  body text not null,
  created_at timestamptz not null,
  primary key (seller_id, key)
);
create index on idempotency_key (seller_id, created_at);
