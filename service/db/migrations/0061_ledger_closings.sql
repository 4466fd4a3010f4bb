-- ADR 0181. The balances of a ledger at the ends of its months, so that statements and balances read few lines.
-- The end of the last one is the first moment after it.
create table ledger_closing (
  seller_id bigint not null references seller,
  until timestamptz not null,
  account text not null,
  account_id bigint references payment_account,
  currency text not null,
  balance numeric(20, 2) not null
);
create unique index ledger_closing_key
  on ledger_closing (seller_id, until, account, coalesce(account_id, 0), currency);

-- What is booked for a month that is closed opens it again. Bookings of a seller wait while its ledger
-- is being closed, and not for each other.
create function reopen_ledger() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(71, (new.seller_id % 2147483647)::int);
  delete from ledger_closing where seller_id = new.seller_id and until > new.booked_at;
  return null;
end $$;
create trigger reopen_ledger after insert on journal_entry
  for each row execute function reopen_ledger();
