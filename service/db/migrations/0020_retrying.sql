-- The overview asks which deliveries are tried again, a few among all that are kept.
create index delivery_retrying on delivery (seller_id, delivery_id)
  where state = 'pending' and tries > 0;
