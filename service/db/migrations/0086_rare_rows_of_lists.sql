-- Lists by a filter that few rows meet read all rows of the seller. These indexes hold only the rare rows, so
-- that a message or delivery that goes well costs nearly nothing more.
create index message_by_rare_state on message (seller_id, state, queued_at, message_id)
  where state in ('queued', 'read', 'failed', 'unknown', 'expired', 'withdrawn');
create index message_test on message (seller_id, queued_at, message_id) where kind = 'test';

create index delivery_pending on delivery (seller_id, delivery_id)
  where state = 'pending' and tries = 0;
create index delivery_skipped on delivery (seller_id, delivery_id) where state = 'skipped';
create index delivery_by_rare_event on delivery (seller_id, event, delivery_id)
  where event not in ('checkout.succeeded', 'subscription.status_changed');
