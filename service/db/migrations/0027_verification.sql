-- ADR 0230. What a business hands in to be verified, and what the operator answered.
create table verification (
  seller_id bigint primary key references seller on delete cascade,
  -- returned: the operator asks for more.
  state text not null default 'draft' check (state in ('draft', 'submitted', 'returned', 'approved')),
  legal_name text not null default '',
  pan text not null default '',
  contact_name text not null default '',
  contact_phone text not null default '',
  contact_email text not null default '',
  address text not null default '',
  -- The operator's words to the business.
  note text,
  version uuid not null default gen_random_uuid(),
  submitted_at timestamptz,
  decided_at timestamptz
);
create index verification_submitted on verification (submitted_at) where state = 'submitted';

-- In the database and nowhere else, so that no address of the service leads to them.
create table verification_document (
  document_id uuid primary key default gen_random_uuid(),
  seller_id bigint not null references verification on delete cascade,
  kind text not null check (kind in ('registration', 'pan', 'identity', 'other')),
  name text not null,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'application/pdf')),
  content bytea not null check (length(content) between 1 and 5242880),
  sha256 bytea not null,
  uploaded_at timestamptz not null,
  unique (seller_id, sha256)
);
alter table verification_document alter column content set storage external;
