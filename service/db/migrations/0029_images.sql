-- ADR 0230. Images that sellers uploaded, re-encoded, by the SHA-256 of what is stored here.
create table image (
  seller_id bigint not null references seller on delete cascade,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  content bytea not null,
  -- When it was last uploaded, or named by a product or the checkout; unused ones go a day later.
  used_at timestamptz not null,
  primary key (seller_id, digest)
);
alter table image alter column content set storage external;
create index image_by_digest on image (digest);
create index image_by_use on image (used_at);

-- What buyers see of the business at its checkout; null where nothing was chosen.
alter table seller
  add column checkout_name text,
  add column checkout_color text check (checkout_color ~ '^#[0-9a-f]{6}$'),
  -- The address of an image.
  add column checkout_logo text,
  add column support_email text,
  add column support_phone text,
  add column pay_otherwise text;
