-- The VAT inside the amount that the provider was asked to take; null where none applies. A product's VAT may have
-- changed by the time the answer comes.
alter table checkout_attempt add column vat numeric(14, 2);
-- What is under way was asked for with the VAT of now, as far as anybody can tell.
update checkout_attempt a
   set vat = round(a.amount * p.vat_percentage / (100 + p.vat_percentage), 2)
  from billing_period b join plan l using (plan_id) join product p using (product_id)
 where a.state = 'pending' and a.amount is not null and b.pbp_id = a.pbp_id
   and p.is_vat_active and p.vat_percentage > 0;
