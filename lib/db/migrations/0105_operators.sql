-- People who verify businesses at the billing service; named on the command line alone.
alter table app_user add column is_operator boolean not null default false;
