-- What a seller's records were when they were last read: for finding and counting. The API stays the
-- truth, and every row here can be read again. Both extensions are trusted: whoever owns the database
-- may create them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- One copy a connection: it goes with it.
create table mirror (
  seller_id uuid not null,
  mode text not null check (mode in ('test', 'live')),
  -- Another one for each beginning: what was read for an earlier copy is not written into this one.
  copy uuid not null default gen_random_uuid(),
  is_on boolean not null default true,
  -- Part of the address that webhooks may be sent to; whoever knows it can leave hints, and no more.
  hint_token text not null unique
    default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  -- When everything was in it for the first time; null while it fills.
  filled_at timestamptz,
  -- When the newest rows of every list were last looked at: how old the copy is.
  read_at timestamptz,
  -- The id that stood first in each list then: what is above it is new.
  newest jsonb not null default '{}',
  -- When a whole round was last asked for, by somebody or by too many hints.
  round_wanted_at timestamptz,
  -- The kind of the failure that stands in the way, and how often it did so in a row.
  error text,
  failures integer not null default 0,
  wait_until timestamptz,
  -- Who works on it, until when; and when there is something to do again.
  claim uuid,
  claimed_until timestamptz,
  due_at timestamptz not null default now(),
  primary key (seller_id, mode),
  foreign key (seller_id, mode) references billing_connection on delete cascade
);
create index mirror_due on mirror (due_at) where is_on;

-- A walk through one whole list, page by page; the last one of each list stays.
create table mirror_round (
  seller_id uuid not null,
  mode text not null,
  list text not null check (list in ('subscriptions', 'customers', 'products')),
  kind text not null check (kind in ('fill', 'full')),
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  next_page integer not null default 1,
  -- Rows in the list as its last page said; null when the service does not count.
  total integer,
  rows_read integer not null default 0,
  -- False once something may have been passed over: then nothing is taken for gone.
  is_whole boolean not null default true,
  -- How many times it was begun anew because of that.
  repeats integer not null default 0,
  primary key (seller_id, mode, list),
  foreign key (seller_id, mode) references mirror on delete cascade
);

-- In all three: asked_at and read_at are the database's clock before the question and after the
-- answer. What was asked for later counts; in_doubt are rows of which two answers that were under way
-- at one time say different things, so that nobody can tell which is newer. No foreign keys: a check
-- a row is dear, and the trigger below clears them. Pages are left half empty: a look through everything
-- writes each row again beside itself, and then no index is touched.
create table mirror_subscription (
  seller_id uuid not null,
  mode text not null,
  id text collate "C" not null,
  status text not null,
  full_name text not null,
  -- Folded, for sorting.
  name_key text collate "C" not null,
  phone text not null,
  -- National digits: one buyer's number has one key, however it is written.
  phone_key text not null,
  email text not null,
  pan_vat text,
  product_id text not null,
  product_name text collate "C" not null,
  plan_name text collate "C" not null,
  pbp_id text not null,
  label text not null,
  -- Null when the text is no number.
  price numeric,
  currency text not null,
  current_period_start timestamptz,
  current_period_end timestamptz,
  next_billing_cycle timestamptz,
  created_at timestamptz,
  -- What a record is found by: see foundBy and wordsOf.
  words tsvector not null,
  record jsonb not null,
  asked_at timestamptz not null,
  read_at timestamptz not null,
  in_doubt boolean not null default false,
  primary key (seller_id, mode, id)
) with (fillfactor = 45);
create index mirror_subscription_created on mirror_subscription (seller_id, mode, created_at, id);
create index mirror_subscription_next
  on mirror_subscription (seller_id, mode, next_billing_cycle, id);
create index mirror_subscription_status
  on mirror_subscription (seller_id, mode, status, next_billing_cycle, id);
create index mirror_subscription_name on mirror_subscription (seller_id, mode, name_key, id);
create index mirror_subscription_price on mirror_subscription (seller_id, mode, price, id);
create index mirror_subscription_plan
  on mirror_subscription (seller_id, mode, product_name, plan_name, product_id, id)
  include (status);
-- They come together: one by one they would be taken for rarer than they are.
create statistics mirror_subscription_plans (dependencies, mcv)
  on product_name, plan_name, product_id from mirror_subscription;
create index mirror_subscription_phone on mirror_subscription (seller_id, mode, phone_key, id);
create index mirror_subscription_words on mirror_subscription
  using gin (words);

create table mirror_customer (
  seller_id uuid not null,
  mode text not null,
  id text collate "C" not null,
  full_name text not null,
  name_key text collate "C" not null,
  phone text not null,
  phone_key text not null,
  email text not null,
  created_at timestamptz,
  words tsvector not null,
  record jsonb not null,
  asked_at timestamptz not null,
  read_at timestamptz not null,
  in_doubt boolean not null default false,
  primary key (seller_id, mode, id)
) with (fillfactor = 45);
create index mirror_customer_created on mirror_customer (seller_id, mode, created_at, id);
create index mirror_customer_name on mirror_customer (seller_id, mode, name_key, id);
create index mirror_customer_phone on mirror_customer (seller_id, mode, phone_key);
create index mirror_customer_words on mirror_customer
  using gin (words);

create table mirror_product (
  seller_id uuid not null,
  mode text not null,
  id text collate "C" not null,
  name text not null,
  name_key text collate "C" not null,
  is_active boolean not null,
  created_at timestamptz,
  words tsvector not null,
  record jsonb not null,
  asked_at timestamptz not null,
  read_at timestamptz not null,
  in_doubt boolean not null default false,
  primary key (seller_id, mode, id)
) with (fillfactor = 45);
create index mirror_product_created on mirror_product (seller_id, mode, created_at, id);
create index mirror_product_words on mirror_product
  using gin (words);

-- The words of names in all three, and their sounds: each once, however many bear it. Slips and letters
-- within a word are looked for here.
create table mirror_word (
  seller_id uuid not null,
  mode text not null,
  word text collate "C" not null,
  primary key (seller_id, mode, word)
);
create index mirror_word_letters on mirror_word using gin (seller_id, mode, word gin_trgm_ops);

-- They go when their copy does, whatever ended it.
create function forget_words() returns trigger language plpgsql as $$
begin
  delete from mirror_word where seller_id = old.seller_id and mode = old.mode;
  return null;
end
$$;
create trigger mirror_words_with_copy after update on mirror
  for each row when (old.copy is distinct from new.copy) execute function forget_words();
create trigger mirror_words_with_mirror after delete on mirror
  for each row execute function forget_words();

-- Ids that somebody named: each is read again through the API, whatever was said of it.
create table mirror_hint (
  seller_id uuid not null,
  mode text not null,
  list text not null check (list in ('subscriptions', 'customers')),
  id text collate "C" not null,
  hinted_at timestamptz not null default clock_timestamp(),
  not_before timestamptz not null default now(),
  tries integer not null default 0,
  primary key (seller_id, mode, list, id),
  foreign key (seller_id, mode) references mirror on delete cascade
);
create index mirror_hint_ready on mirror_hint (seller_id, mode, not_before);

-- To be called when whoever writes rows finds its copy changed: after that none can come.
create function clear_mirror(owner uuid, its_mode text) returns void language sql as $$
  delete from mirror_round where seller_id = owner and mode = its_mode;
  delete from mirror_hint where seller_id = owner and mode = its_mode;
  delete from mirror_subscription where seller_id = owner and mode = its_mode;
  delete from mirror_customer where seller_id = owner and mode = its_mode;
  delete from mirror_product where seller_id = owner and mode = its_mode;
$$;

-- Another key can be another account's: its copy begins with nothing.
create function begin_mirror() returns trigger language plpgsql as $$
begin
  -- First the copy's own row: whoever writes rows holds it, and none can come after this.
  if tg_op = 'UPDATE' then
    update mirror
       set copy = gen_random_uuid(), filled_at = null, read_at = null, newest = '{}',
           round_wanted_at = null,
           error = null, failures = 0, wait_until = null, claim = null, claimed_until = null,
           due_at = now()
     where seller_id = old.seller_id and mode = old.mode;
  elsif tg_op = 'DELETE' then
    delete from mirror where seller_id = old.seller_id and mode = old.mode;
  end if;
  if tg_op = 'INSERT' then
    insert into mirror (seller_id, mode) values (new.seller_id, new.mode);
  else
    perform clear_mirror(old.seller_id, old.mode);
  end if;
  perform pg_notify('mirror', '');
  return null;
end
$$;
create trigger mirror_with_connection after insert or delete on billing_connection
  for each row execute function begin_mirror();
create trigger mirror_with_key after update on billing_connection
  for each row when (old.set_at is distinct from new.set_at) execute function begin_mirror();

-- A key that works again is no reason to wait any longer.
create function wake_mirror() returns trigger language plpgsql as $$
begin
  update mirror set wait_until = null, failures = 0, due_at = now()
   where seller_id = new.seller_id and mode = new.mode;
  perform pg_notify('mirror', '');
  return null;
end
$$;
create trigger mirror_with_state after update on billing_connection
  for each row when (old.state is distinct from new.state and new.state = 'good')
  execute function wake_mirror();

insert into mirror (seller_id, mode) select seller_id, mode from billing_connection;
