-- ADR 0230. Accounts that a dashboard opens: two businesses may have one name.
alter table seller drop constraint seller_name_key;
create index seller_name on seller (name);
-- Which account it is at the dashboard that opened it; null for the operator's own.
alter table seller add column reference text unique;
