-- Whether a billing period was ever sold was looked for among all subscriptions of all sellers.
create index subscription_by_period on subscription (seller_id, pbp_id);
