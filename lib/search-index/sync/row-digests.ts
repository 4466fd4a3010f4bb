import "server-only";
import { hash } from "node:crypto";
import type { Database } from "#lib/db/pool.ts";
import type { ListName } from "#lib/billing/observe.ts";
import { INDEXED_LISTS, type IndexRow } from "#lib/search-index/records/lists.ts";
import type { IndexOwner } from "#lib/search-index/records/terms.ts";

/** The most cached rows; they take about 5 MB. */
const MOST_KNOWN = 20_000;

interface Known {
  id: string;
  /** The row's asked_at as PostgreSQL prints it. */
  asked_at: string;
}

/** Indexed rows by the digest of their record; the least recently read are dropped first. */
const known = new Map<string, Known>();

const keyOf = ({ index_version }: IndexOwner, list: ListName, record: unknown) =>
  `${index_version}:${list}:${digestOf(record)}`;

function remember(key: string, row: Known) {
  known.delete(key);
  known.set(key, row);
  const [oldest = key] = known.keys();
  if (known.size > MOST_KNOWN) known.delete(oldest);
}

export function rememberDigests(
  owner: IndexOwner,
  list: ListName,
  rows: readonly IndexRow[],
  asked_at: string,
): void {
  for (const { id, record } of rows) remember(keyOf(owner, list, record), { id, asked_at });
}

/** Splits records into those that this process knows to be unchanged and the rest. */
export function splitUnchangedRecords(
  owner: IndexOwner,
  list: ListName,
  records: readonly unknown[],
) {
  const parts = Map.groupBy(records, (record) => known.has(keyOf(owner, list, record)));
  return { same: parts.get(true) ?? [], news: parts.get(false) ?? [] };
}

/**
 * Updates only the time of rows whose record is unchanged, at a tenth of the cost of writing them.
 * The row's asked_at shows whether it is still the known one: every writer changes it.
 * @returns the records to write
 */
export async function touchUnchangedRows(
  db: Database,
  owner: IndexOwner,
  list: ListName,
  records: readonly unknown[],
  asked_at: string,
): Promise<unknown[]> {
  const asked = records.map((record) => {
    const key = keyOf(owner, list, record);
    return { record, key, row: known.get(key) };
  });
  const rows = asked.flatMap(({ row }) => row ?? []);
  if (rows.length === 0) return [...records];
  const { seller_id, mode, index_version } = owner;
  const { rows: touched } = await db.query<Known>({
    name: `touch-${list}`,
    text: TOUCH[list],
    values: [
      seller_id,
      mode,
      index_version,
      rows.map(({ id }) => id),
      rows.map((row) => row.asked_at),
      asked_at,
    ],
  });
  const current = new Map(touched.map((row) => [row.id, row]));
  return asked.flatMap(({ record, key, row }) => {
    const still = row && current.get(row.id);
    if (!still) return [record];
    remember(key, still);
    return [];
  });
}

const TOUCH = {
  products: touch("products"),
  customers: touch("customers"),
  subscriptions: touch("subscriptions"),
};

/**
 * SQL of touchUnchangedRows. Skips rows that another writer has locked, because they are about to
 * change.
 */
function touch(list: ListName): string {
  const { table } = INDEXED_LISTS[list];
  return `with held as (select 1 from mirror
      where seller_id = $1 and mode = $2 and copy = $3 for share),
    same as (select t.id
      from held, unnest($4::text[], $5::timestamptz[]) as k(id, asked_at), ${table} t
     where t.seller_id = $1 and t.mode = $2 and t.id = k.id and t.asked_at = k.asked_at
       for update of t skip locked)
    update ${table} t
       set asked_at = greatest(t.asked_at, $6::timestamptz),
           read_at = greatest(t.read_at, clock_timestamp()), in_doubt = false
      from same
     where t.seller_id = $1 and t.mode = $2 and t.id = same.id
    returning t.id, t.asked_at::text`;
}

/** Digests by record object, because up to four steps need the digest. */
const digests = new WeakMap<object, string>();

/** A digest of a record's content. */
export function digestOf(record: unknown): string {
  const cached = digests.get(record as object);
  if (cached !== undefined) return cached;
  const digest = hash("sha1", JSON.stringify(record), "base64");
  if (typeof record === "object" && record !== null) digests.set(record, digest);
  return digest;
}
