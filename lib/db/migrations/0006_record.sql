-- The names as they were when it happened: the record outlives accounts, and renaming rewrites nothing.
alter table audit_log add column user_name text;
alter table audit_log add column member_name text;

-- Read newest first, all of it, of one subscription or of one person.
drop index audit_log_seller;
drop index audit_log_subscription;
create index audit_log_seller on audit_log (seller_id, at desc, id desc);
create index audit_log_subscription on audit_log (seller_id, subscription_id, at desc, id desc);
create index audit_log_person on audit_log (seller_id, user_id, at desc, id desc);

-- Beside the trigger: who owns the tables but is no superuser has to grant it back to change a row.
revoke update, delete, truncate on audit_log from current_user, public;
