-- ADR 0060. The network that asked for a code, as a keyed hash: the codes of a number are counted by
-- network first, so that a stranger uses up none of its owner's. Empty without a key, and for rows from before.
alter table buyer_sign_in add column network text not null default '';
alter table shared_link_order add column network text not null default '';
