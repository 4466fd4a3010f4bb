-- Kinds of events of which the service was last seen to send none to the receiver: refused, paused, moved
-- or removed. While it sends some, `registered_at` is null all the same.
alter table receiver add column missing text[] not null default '{}';
