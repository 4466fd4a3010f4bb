-- A move of subscribers, and its undoing, go over the positions of all subscriptions: the request does
-- the first ones, and the sweep the others, also after a crash.

-- The position up to which this was done; null once it was done for all.
alter table period_move add column spread_after bigint;
create index period_move_to_spread on period_move (move_id) where spread_after is not null;
