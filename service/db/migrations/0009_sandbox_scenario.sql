-- What a sandbox seller's reset goes back to; null for an empty account.
alter table seller add column sandbox_scenario text;
