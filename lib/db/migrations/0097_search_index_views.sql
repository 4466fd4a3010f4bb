-- What the search index offers to the queries of the rest of the dashboard: its tables belong to
-- lib/search-index alone, and can change behind these views. Each is one table's, so PostgreSQL plans a
-- query over it as one over the table.
create view search_index as
  select seller_id, mode, copy as index_version, filled_at, read_at, history_from, events_since, error,
         wait_until, claimed_until, due_at
    from mirror where is_on;

create view indexed_subscription as
  select seller_id, mode, id, status, full_name, name_key, phone, phone_key, email, pan_vat, product_id,
         product_name, plan_name, pbp_id, label, price, currency, current_period_start,
         current_period_end, next_billing_cycle, created_at, first_seen_at, read_at, words, record
    from mirror_subscription;

create view indexed_product as
  select seller_id, mode, id, created_at, price_steps, read_at, record from mirror_product;

-- The few columns of every subscription that sums are made of, in narrow rows.
create view counted_subscription as
  select seller_id, mode, id, status, product_id, product_name, plan_name, pbp_id, price, currency,
         current_period_start, current_period_end, next_billing_cycle, created_at, first_seen_at
    from mirror_counted;

-- Changes of subscriptions as the index saw them; migration 0013 explains the columns.
create view subscription_change as
  select seller_id, mode, id, subscription_id, seen_at, born_at, old_status, new_status,
         old_period_start, new_period_start, old_next_billing, new_next_billing, old_price, new_price,
         old_currency, new_currency, old_pbp_id, new_pbp_id, is_first_payment, is_renewal, is_lost,
         is_resumed, proof_id, shows_payment
    from mirror_change;
