-- Whether everybody of the team needs a second factor to see anything of the seller.
alter table seller add column demands_second_factor boolean not null default false;
