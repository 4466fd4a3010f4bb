-- A worker asks for each due delivery whether an earlier one of its subscription is being retried. Where the
-- statistics know no pending delivery, which is usual, PostgreSQL could prefer the index of all pending
-- deliveries to the one made for this question, and read a whole backlog for each delivery. A condition
-- that does not name the state can use only the right index.
drop index delivery_retried;
create index delivery_attempted on delivery (subscription_id, delivery_id)
  where first_attempt_at is not null and finished_at is null;
