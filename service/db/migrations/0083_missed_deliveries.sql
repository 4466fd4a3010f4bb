-- Resending what an endpoint missed read all deliveries of the seller, and changed all missed ones in one
-- statement. Now a request resends the oldest 10,000, and says how many are left.
create index delivery_missed on delivery (seller_id, webhook_id, created_at, delivery_id)
  where state in ('failed', 'skipped');
