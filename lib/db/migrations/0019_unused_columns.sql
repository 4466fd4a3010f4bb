-- Nothing is sorted, found or counted by these: customers and products are found by their words, the
-- newest first, and shown as the record itself has them. The index of the names goes with its column.
alter table mirror_customer
  drop column full_name, drop column name_key, drop column phone, drop column email;
alter table mirror_product
  drop column name, drop column name_key, drop column is_active;
