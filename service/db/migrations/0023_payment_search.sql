-- Payments are found by their amount, newest first.
create index payment_by_amount on payment (seller_id, amount, paid_at desc, payment_id desc);
