import "server-only";
import { queryValue } from "#contract/process/database.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { readClock, type Database } from "#lib/db/pool.ts";
import { parseIsoMoment } from "#lib/format/format.ts";
import { readRecordOrFailure } from "#lib/search-index/sync/refresh-queue.ts";
import { toJson } from "#lib/search-index/sync/store.ts";
import { differencesBetween, type FieldDifference, type RecordState } from "./differences.ts";
import type { CompareContext, LeasedComparison, StepResult } from "./step.ts";

/** Records that a step reads one by one. */
const BATCH_SIZE = 8;
/** Maximum reads of a record that changes each time it is read. */
const MAX_READS = 3;

interface SeenRecord {
  id: string;
  state: RecordState;
  fields: FieldDifference[];
}

interface IndexedRecord {
  id: string;
  record: Subscription;
  status: string;
  /**
   * Whether the record was indexed after the API call, or is in doubt because two answers differed,
   * so that the index may have the newer version.
   */
  is_newer: boolean;
}

async function readIndexed(
  db: Database,
  { seller_id, mode }: KeyOwner,
  ids: string[],
  asked_at: string,
): Promise<Map<string, IndexedRecord>> {
  const { rows } = await db.query<IndexedRecord>(
    `select id, record, status, read_at > $4::timestamptz or in_doubt as is_newer
       from mirror_subscription where seller_id = $1 and mode = $2 and id = any($3)`,
    [seller_id, mode, ids, asked_at],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Compares the service's record with the indexed one, and that with its row's status column. */
function compare(record: Subscription, indexed: IndexedRecord): FieldDifference[] {
  // The same conversion as when the record was stored.
  const [service = record] = JSON.parse(toJson([record])) as Subscription[];
  const fields = differencesBetween(service, indexed.record);
  const isConsistent = indexed.record.status.startsWith(indexed.status);
  if (isConsistent || fields.some(({ field }) => field === "status")) return fields;
  return [{ field: "status", service: service.status, index: indexed.status }, ...fields];
}

/**
 * Compares a page with the index. Only equal records are settled: rows move to other pages while
 * the list is read, so other records are read one by one later.
 * @returns how many more records are settled than before
 */
export async function settleEqualRecords(
  { db, owner }: Pick<CompareContext, "db" | "owner">,
  comparison: LeasedComparison,
  records: readonly Subscription[],
  asked_at: string,
): Promise<number> {
  const ids = records.map((record) => record.subscription_id);
  const indexed = await readIndexed(db, owner, ids, asked_at);
  const seen = records.map((record): SeenRecord => {
    const row = indexed.get(record.subscription_id);
    const isEqual = row !== undefined && compare(record, row).length === 0;
    return { id: record.subscription_id, state: isEqual ? "equal" : "waiting", fields: [] };
  });
  return insertSeen(db, owner, comparison, seen);
}

async function insertSeen(
  db: Database,
  { seller_id, mode }: KeyOwner,
  comparison: LeasedComparison,
  seen: SeenRecord[],
): Promise<number> {
  const once = [...new Map(seen.map((one) => [one.id, one])).values()];
  return (
    (await queryValue<number>(
      db,
      `with noted as (
       insert into reconciliation_record (check_id, seller_id, mode, id, state)
       select $1, $2, $3, s.id, s.state
         from jsonb_to_recordset($4::jsonb) as s(id text, state text)
        order by s.id
       on conflict (check_id, id) do update set state = excluded.state
         where reconciliation_record.state = 'equal' and excluded.state = 'waiting'
       returning state, xmax = 0 as is_new
     ) select (count(*) filter (where state = 'equal') - count(*) filter (where not is_new))::int
              as equal from noted`,
      [comparison.id, seller_id, mode, toJson(once)],
    )) ?? 0
  );
}

/** Reads the next few records one by one and compares all their fields. */
export async function compareWaitingRecords(
  context: CompareContext,
  comparison: LeasedComparison,
): Promise<StepResult> {
  const { db, owner, calls } = context;
  const { rows } = await db.query<{ id: string }>(
    `select id from reconciliation_record
      where check_id = $1 and seller_id = $2 and mode = $3 and state = 'waiting'
      order by id limit ${BATCH_SIZE}`,
    [comparison.id, owner.seller_id, owner.mode],
  );
  if (rows.length === 0) return { phase: null };
  // Saved in batches: a failure loses only the calls under way.
  for (let from = 0; from < rows.length; from += calls) {
    const batch = rows.slice(from, from + calls);
    const seen = await Promise.allSettled(batch.map(({ id }) => readOne(context, id)));
    const settled = seen.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    await settle(db, owner, comparison, settled);
    const failed = seen.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
  }
  return { phase: "reading", compared: 0 };
}

async function readOne(context: CompareContext, id: string, times = 1): Promise<SeenRecord> {
  const { db, owner, api } = context;
  const asked_at = await readClock(db);
  const answer = await readRecordOrFailure(() => api.getSubscription(id));
  const isGone = "failure" in answer && answer.failure.kind === "not_found";
  const indexed = (await readIndexed(db, owner, [id], asked_at)).get(id);
  if ("failure" in answer && !isGone) return { id, state: "unread", fields: [] };
  const record = "record" in answer ? answer.record : null;
  const fields = record && indexed ? compare(record, indexed) : [];
  const state = stateOf(record, indexed, fields);
  const isMoving =
    indexed?.is_newer || (record && !indexed && (await isNewer(db, owner, record.created_at)));
  if (state === "equal" || !isMoving) return { id, state, fields };
  if (indexed && times < MAX_READS) return readOne(context, id, times + 1);
  return { id, state: "moving", fields: [] };
}

/** Whether the record was created after the last incremental sync; the next one will index it. */
async function isNewer(
  db: Database,
  { seller_id, mode }: KeyOwner,
  created_at: string,
): Promise<boolean> {
  const { rows } = await db.query<{ read_at: Date | null }>(
    "select coalesce(read_at, filled_at) as read_at from mirror where seller_id = $1 and mode = $2",
    [seller_id, mode],
  );
  return (parseIsoMoment(created_at) ?? 0) > (rows[0]?.read_at?.getTime() ?? 0);
}

function stateOf(
  record: Subscription | null,
  indexed: IndexedRecord | undefined,
  fields: FieldDifference[],
): RecordState {
  if (!record) return indexed ? "extra" : "unknown";
  if (!indexed) return "missing";
  return fields.length > 0 ? "different" : "equal";
}

async function settle(
  db: Database,
  { seller_id, mode }: KeyOwner,
  comparison: LeasedComparison,
  seen: SeenRecord[],
): Promise<void> {
  await db.query(
    `with settled as (
       update reconciliation_record r
          set state = s.state, fields = s.fields
         from jsonb_to_recordset($4::jsonb)
                as s(id text, state text, fields jsonb)
        where r.check_id = $1 and r.seller_id = $2 and r.mode = $3 and r.id = s.id
          and r.state = 'waiting'
       returning r.state
     )
     update reconciliation
        set compared = compared + (select count(*) from settled where state <> 'unknown')
      where id = $1 and seller_id = $2 and mode = $3`,
    [comparison.id, seller_id, mode, toJson(seen)],
  );
}
