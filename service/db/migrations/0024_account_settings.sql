-- ADR 0230. Set while a verified account is suspended; an account that never was verified has none.
alter table seller
  add column suspended_at timestamptz,
  -- Of new billing periods that name none.
  add column currency text not null default 'NPR' check (currency ~ '^[A-Z]{3}$');
