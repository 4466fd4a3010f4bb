-- Whoever went through the tour, or did not want it, is not asked again.
alter table app_user add column has_left_tour boolean not null default false;
