-- A seller's own words for the messages that carry a link; without a row, Duebook's are used.
create table message_text (
  seller_id uuid not null references seller on delete cascade,
  kind text not null check (kind in ('first_payment', 'renewal')),
  body text not null check (char_length(body) between 1 and 1000),
  updated_at timestamptz not null,
  primary key (seller_id, kind)
);
