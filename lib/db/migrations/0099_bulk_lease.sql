-- When the lease on a running item ends; an item that an earlier version left running is free at once.
alter table bulk_item add column claimed_until timestamptz;
