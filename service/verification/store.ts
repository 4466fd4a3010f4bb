import type { DocumentKind, DocumentType, VerificationState } from "#contract/names.ts";
import type {
  ChangeVerification,
  OperatorAccount,
  Verification,
  VerificationDocument,
} from "#contract/verification.ts";
import { queryRow, queryRows, queryValue, type Database, concernsRow } from "../db/database.ts";

/** The version of a verification to which nothing was handed in yet. */
const NO_VERSION = "00000000-0000-0000-0000-000000000000";

type State = "draft" | "submitted" | "returned" | "approved";

interface Row extends Omit<OperatorAccount, "opened_at" | "submitted_at" | "documents"> {
  opened_at: Date;
  submitted_at: Date | null;
  documents: VerificationDocument[];
}

const STATE = `case when s.kyc_verified then 'verified' when v.state = 'submitted' then 'submitted'
  when s.suspended_at is not null then 'suspended'
  when v.state = 'returned' then 'returned' else 'not_verified' end`;

const SELECT = `select s.seller_id as account_id, s.name, s.created_at as opened_at, ${STATE} as state,
    v.note, coalesce(v.legal_name, '') as legal_name, coalesce(v.pan, '') as pan,
    coalesce(v.contact_name, '') as contact_name, coalesce(v.contact_phone, '') as contact_phone,
    coalesce(v.contact_email, '') as contact_email, coalesce(v.address, '') as address,
    v.submitted_at, coalesce(v.version, '${NO_VERSION}') as version,
    (select coalesce(json_agg(json_build_object('id', d.document_id, 'kind', d.kind, 'name', d.name,
         'media_type', d.media_type, 'bytes', length(d.content),
         'uploaded_at', to_char(d.uploaded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
         order by d.uploaded_at, d.document_id), '[]')
       from verification_document d where d.seller_id = s.seller_id) as documents
  from seller s left join verification v using (seller_id)`;

const present = ({ opened_at, submitted_at, ...row }: Row): OperatorAccount => ({
  ...row,
  opened_at: opened_at.toISOString(),
  submitted_at: submitted_at?.toISOString() ?? null,
});

export async function findAccount(
  database: Database,
  sellerId: number,
): Promise<OperatorAccount | null> {
  const row = await queryRow<Row>(database, `${SELECT} where s.seller_id = $1`, [sellerId]);
  return row && present(row);
}

/** The details and documents of a business. */
export async function readVerification(
  database: Database,
  sellerId: number,
): Promise<Verification> {
  const account = await findAccount(database, sellerId);
  if (!account) throw new Error("the seller of a key is missing");
  const { account_id: _id, name: _name, opened_at: _opened, ...verification } = account;
  return verification;
}

const MOST_LISTED = 200;

/** At most 200 accounts, those that were submitted first at the top. @param state null for all */
export async function selectAccounts(
  database: Database,
  state: VerificationState | null,
): Promise<OperatorAccount[]> {
  const rows = await queryRows<Row>(
    database,
    `${SELECT} where $1::text is null or ${STATE} = $1
     order by v.submitted_at nulls last, s.seller_id desc limit ${MOST_LISTED}`,
    [state],
  );
  return rows.map(present);
}

/** Locks a seller's verification until the transaction ends, and creates it if it is missing. */
export async function lockVerification(
  database: Database,
  sellerId: number,
): Promise<{ state: State; version: string }> {
  const row = await queryRow<{ state: State; version: string }>(
    database,
    `insert into verification as v (seller_id, version) values ($1, '${NO_VERSION}')
     on conflict (seller_id) do update set state = v.state returning state, version`,
    [sellerId],
  );
  if (!row) throw new Error("the verification was not locked");
  return row;
}

/** Writes the details given; omitted ones stay unchanged. */
export const updateDetails = (
  database: Database,
  sellerId: number,
  change: Omit<ChangeVerification, "version">,
) =>
  database.query(
    `update verification v set legal_name = c.legal_name, pan = c.pan,
       contact_name = c.contact_name, contact_phone = c.contact_phone,
       contact_email = c.contact_email, address = c.address, version = gen_random_uuid()
     from verification known, jsonb_populate_record(known, $2) c
     where v.seller_id = $1 and known.seller_id = $1`,
    [sellerId, change],
  );

export const updateState = (
  database: Database,
  sellerId: number,
  { state, note, at }: { state: State; note: string | null; at: Date },
) =>
  database.query(
    `update verification set state = $2, note = $3, version = gen_random_uuid(),
       submitted_at = case when $2 = 'submitted' then $4 else submitted_at end,
       decided_at = case when $2 = 'submitted' then null else $4 end
     where seller_id = $1`,
    [sellerId, state, note, at],
  );

export const countDocuments = async (database: Database, sellerId: number) =>
  (await queryValue<number>(
    database,
    "select count(*)::int from verification_document where seller_id = $1",
    [sellerId],
  )) ?? 0;

/** Stores a document; the same bytes are stored once. */
export const insertDocument = (
  database: Database,
  sellerId: number,
  document: {
    kind: DocumentKind;
    name: string;
    media_type: DocumentType;
    content: Buffer;
    at: Date;
  },
) =>
  database.query(
    `insert into verification_document
       (seller_id, kind, name, media_type, content, sha256, uploaded_at)
     values ($1, $2, $3, $4, $5, sha256($5), $6)
     on conflict (seller_id, sha256) do update set kind = excluded.kind, name = excluded.name`,
    [
      sellerId,
      document.kind,
      document.name,
      document.media_type,
      document.content,
      document.at,
    ],
  );

/** @returns whether there was such a document */
export const deleteDocument = (database: Database, sellerId: number, documentId: string) =>
  concernsRow(
    database,
    "delete from verification_document where seller_id = $1 and document_id = $2",
    [sellerId, documentId],
  );

export const findDocument = (database: Database, sellerId: number, documentId: string) =>
  queryRow<{ name: string; media_type: DocumentType; content: Buffer }>(
    database,
    `select name, media_type, content from verification_document
     where seller_id = $1 and document_id = $2`,
    [sellerId, documentId],
  );
