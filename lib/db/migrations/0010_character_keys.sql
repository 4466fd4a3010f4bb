-- Whether single characters act at once, as "c" for a new subscription.
alter table app_user add column character_keys boolean not null default true;
