-- When the last look at a whole list began that came to its end: what no event told of may be as old.
alter table mirror_round add column whole_since timestamptz;
update mirror_round set whole_since = started_at where ended_at is not null;
