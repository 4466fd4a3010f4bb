import "server-only";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { readClock, type Database } from "#lib/db/pool.ts";
import { momentOf } from "#lib/format/format.ts";
import { tryRead } from "#lib/search-index/sync/refresh-queue.ts";
import { toJson } from "#lib/search-index/sync/store.ts";
import { differencesBetween, type FieldDifference, type RecordState } from "./differences.ts";
import type { Claimed, Desk, Progress } from "./step.ts";

/** Records that a step reads one by one. */
const AT_A_STEP = 8;
/** Times that a record which changes while it is read is read. */
const MOST_READINGS = 3;

interface Seen {
  id: string;
  state: RecordState;
  service_status: string | null;
  fields: FieldDifference[];
}

interface Copied {
  id: string;
  record: Subscription;
  status: string;
  /** It was read into the copy after the service was asked: then it may be the newer one. */
  is_newer: boolean;
}

async function readCopied(
  db: Database,
  { seller_id, mode }: KeyOwner,
  ids: string[],
  asked_at: string,
): Promise<Map<string, Copied>> {
  const { rows } = await db.query<Copied>(
    `select id, record, status, read_at > $4::timestamptz or in_doubt as is_newer
       from mirror_subscription where seller_id = $1 and mode = $2 and id = any($3)`,
    [seller_id, mode, ids, asked_at],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** What differs between an answer and the row, where the copy's own columns count too. */
function compare(said: Subscription, copied: Copied): FieldDifference[] {
  // As the database keeps texts: it cannot hold all of them.
  const [service = said] = JSON.parse(toJson([said])) as Subscription[];
  const fields = differencesBetween(service, copied.record);
  const isKept = copied.record.status.startsWith(copied.status);
  if (isKept || fields.some(({ field }) => field === "status")) return fields;
  return [{ field: "status", service: service.status, copy: copied.status }, ...fields];
}

/**
 * Compares rows of a list with the copy. Only what is the same is settled by that: a list moves while
 * it is read, so anything else is read by itself. @returns how many more are settled than before
 */
export async function noteSeen(
  { db, owner }: Pick<Desk, "db" | "owner">,
  check: Claimed,
  records: readonly Subscription[],
  asked_at: string,
): Promise<number> {
  const ids = records.map((record) => record.subscription_id);
  const copied = await readCopied(db, owner, ids, asked_at);
  const seen = records.map((record): Seen => {
    const row = copied.get(record.subscription_id);
    const isEqual = row !== undefined && compare(record, row).length === 0;
    return {
      id: record.subscription_id,
      state: isEqual ? "equal" : "waiting",
      service_status: record.status.slice(0, 200),
      fields: [],
    };
  });
  return insertSeen(db, owner, check, seen);
}

async function insertSeen(
  db: Database,
  { seller_id, mode }: KeyOwner,
  check: Claimed,
  seen: Seen[],
): Promise<number> {
  const once = [...new Map(seen.map((one) => [one.id, one])).values()];
  const { rows } = await db.query<{ equal: number }>(
    `with noted as (
       insert into reconciliation_record (check_id, seller_id, mode, id, state, service_status)
       select $1, $2, $3, s.id, s.state, s.service_status
         from jsonb_to_recordset($4::jsonb) as s(id text, state text, service_status text)
        order by s.id
       on conflict (check_id, id) do update set state = excluded.state
         where reconciliation_record.state = 'equal' and excluded.state = 'waiting'
       returning state, xmax = 0 as is_new
     ) select (count(*) filter (where state = 'equal') - count(*) filter (where not is_new))::int
              as equal from noted`,
    [check.id, seller_id, mode, toJson(once)],
  );
  return rows[0]?.equal ?? 0;
}

/** Has these read one by one, unless that was done. */
export async function askFor(
  db: Database,
  { seller_id, mode }: KeyOwner,
  check: Claimed,
  ids: string[],
): Promise<void> {
  await db.query(
    `insert into reconciliation_record (check_id, seller_id, mode, id, state)
     select $1, $2, $3, id, 'waiting' from unnest($4::text[]) id order by id
     on conflict (check_id, id) do nothing`,
    [check.id, seller_id, mode, ids],
  );
}

/** Reads the next few records at the service, each by itself, and compares all that they say. */
export async function readWaiting(desk: Desk, check: Claimed): Promise<Progress> {
  const { db, owner, calls } = desk;
  const { rows } = await db.query<{ id: string }>(
    `select id from reconciliation_record
      where check_id = $1 and seller_id = $2 and mode = $3 and state = 'waiting'
      order by id limit ${AT_A_STEP}`,
    [check.id, owner.seller_id, owner.mode],
  );
  if (rows.length === 0) return { phase: "judging" };
  // Each batch is kept by itself: a failure costs no more than the calls that were under way.
  for (let from = 0; from < rows.length; from += calls) {
    const batch = rows.slice(from, from + calls);
    const seen = await Promise.allSettled(batch.map(({ id }) => readOne(desk, id)));
    const settled = seen.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    await settle(db, owner, check, settled);
    const failed = seen.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
  }
  return { phase: "reading", compared: 0 };
}

async function readOne(desk: Desk, id: string, times = 1): Promise<Seen> {
  const { db, owner, api } = desk;
  const asked_at = await readClock(db);
  const answer = await tryRead(() => api.getSubscription(id));
  const isGone = "failure" in answer && answer.failure.kind === "not_found";
  const copied = (await readCopied(db, owner, [id], asked_at)).get(id);
  const none = { id, service_status: null, fields: [] };
  if ("failure" in answer && !isGone) return { ...none, state: "unread" };
  const record = "record" in answer ? answer.record : null;
  const service_status = record?.status.slice(0, 200) ?? null;
  const fields = record && copied ? compare(record, copied) : [];
  const state = stateOf(record, copied, fields);
  const isMoving =
    copied?.is_newer || (record && !copied && (await isNews(db, owner, record.created_at)));
  if (state === "equal" || !isMoving) return { id, service_status, state, fields };
  if (copied && times < MOST_READINGS) return readOne(desk, id, times + 1);
  return { id, service_status, state: "moving", fields: [] };
}

/** It came after the copy last looked for what is new: it will be found. */
async function isNews(
  db: Database,
  { seller_id, mode }: KeyOwner,
  created_at: string,
): Promise<boolean> {
  const { rows } = await db.query<{ read_at: Date | null }>(
    "select coalesce(read_at, filled_at) as read_at from mirror where seller_id = $1 and mode = $2",
    [seller_id, mode],
  );
  return (momentOf(created_at) ?? 0) > (rows[0]?.read_at?.getTime() ?? 0);
}

function stateOf(
  record: Subscription | null,
  copied: Copied | undefined,
  fields: FieldDifference[],
): RecordState {
  if (!record) return copied ? "extra" : "unknown";
  if (!copied) return "missing";
  return fields.length > 0 ? "different" : "equal";
}

async function settle(
  db: Database,
  { seller_id, mode }: KeyOwner,
  check: Claimed,
  seen: Seen[],
): Promise<void> {
  await db.query(
    `with settled as (
       update reconciliation_record r
          set state = s.state, service_status = s.service_status, fields = s.fields
         from jsonb_to_recordset($4::jsonb)
                as s(id text, state text, service_status text, fields jsonb)
        where r.check_id = $1 and r.seller_id = $2 and r.mode = $3 and r.id = s.id
          and r.state = 'waiting'
       returning r.state
     )
     update reconciliation
        set compared = compared + (select count(*) from settled where state <> 'unknown')
      where id = $1 and seller_id = $2 and mode = $3`,
    [check.id, seller_id, mode, toJson(seen)],
  );
}
