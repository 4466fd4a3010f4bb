-- By when an account was made that only this invitation allowed; it allows no other.
alter table invitation add column registered_at timestamptz;
