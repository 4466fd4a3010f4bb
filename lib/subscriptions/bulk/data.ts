import "server-only";
import type pg from "pg";
import { can } from "#lib/auth/permissions.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import { AppError } from "#lib/failure.ts";
import type { Scope } from "#lib/scope.ts";
import { UUID } from "#lib/search-params.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database, inTransaction, singleRow, type Database } from "#lib/db/pool.ts";
import type { Leaving } from "#lib/money/leave-reasons.ts";
import type { Settlement } from "../goodwill/rules.ts";
import type { Operation } from "../rules.ts";
import type { BulkItem, BulkRun, BulkRunSummary, BulkRunView } from "./queries.ts";
import { BULK_RUN_KEPT_DAYS, planChange, type BulkChange, type BulkRecord } from "./rules.ts";

const LISTED = 20;
// A run is active if its last step was less than this long ago.
const BUSY_SECONDS = 5;

const RUN = `r.id, r.operation, r.asked_day::text, r.asked_days, r.undo_of, u.name as started_by,
             r.created_at, r.paused_at, r.closed_at`;
export const BULK_ITEM_COLUMNS = `i.subscription_id, i.buyer, i.state, i.status_before, i.day_before::text,
             i.target_day::text, i.status_after, i.day_after::text, i.message`;
const BUSY = `coalesce(max(greatest(i.claimed_at, i.settled_at)) >
              now() - interval '${BUSY_SECONDS} seconds', false) as is_busy`;

const OLD = `(r.created_at < now() - interval '${BULK_RUN_KEPT_DAYS} days')`;

export async function getBulkRun(scope: Scope, id: string): Promise<BulkRunView> {
  const { owner } = await requireSeller(scope, "subscriptions:read");
  return selectBulkRun(database(), owner, id);
}

export async function selectBulkRun(
  db: Database,
  { seller_id, mode }: KeyOwner,
  id: string,
): Promise<BulkRunView> {
  if (!UUID.test(id)) return { run: null, items: [], is_busy: false };
  const whose = [id, seller_id, mode];
  const runs = await db.query<BulkRun & { is_busy: boolean }>(
    `select ${RUN}, ${BUSY}
       from bulk_run r left join app_user u on u.id = r.started_by
       left join bulk_item i on i.run_id = r.id
      where r.id = $1 and r.seller_id = $2 and r.mode = $3 and not ${OLD} group by r.id, u.name`,
    whose,
  );
  const items = await db.query<BulkItem>(
    `select ${BULK_ITEM_COLUMNS} from bulk_item i
      where i.run_id = $1 and i.seller_id = $2 and i.mode = $3 order by i.position`,
    whose,
  );
  const [found] = runs.rows;
  if (!found) return { run: null, items: [], is_busy: false };
  const { is_busy, ...run } = found;
  return { run: asText(run), items: items.rows, is_busy };
}

/** The latest runs with their progress, newest first. */
export async function listBulkRuns(scope: Scope): Promise<BulkRunSummary[]> {
  const { owner } = await requireSeller(scope, "subscriptions:read");
  return selectBulkRuns(database(), owner);
}

export async function selectBulkRuns(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<BulkRunSummary[]> {
  const { rows } = await db.query<BulkRunSummary>(
    `select ${RUN}, ${BUSY}, count(i.run_id)::int as items,
            count(*) filter (where i.state in ('waiting', 'running', 'unknown'))::int as rest
       from bulk_run r left join app_user u on u.id = r.started_by
       left join bulk_item i on i.run_id = r.id
      where r.seller_id = $1 and r.mode = $2 and not ${OLD}
      group by r.id, u.name order by r.created_at desc limit ${LISTED}`,
    [seller_id, mode],
  );
  return rows.map(asText);
}

interface AskedItem extends BulkRecord {
  buyer: string;
}

interface AskedRun {
  aim: BulkChange;
  undo_of: string | null;
  /** Whether the debt of overdue items is kept or waived; null refuses to move those. */
  settlement: Settlement | null;
  /** Why the buyers leave, if the run cancels. */
  leaving: Leaving;
}

/**
 * Stores the items of the dry run, and decides again by the same rules what happens to each.
 * @returns the run's id
 */
export async function insertBulkRun(
  pool: Pick<pg.Pool, "connect">,
  { owner, user, seller, now }: Pick<SignedIn, "owner" | "user" | "seller" | "now">,
  { aim, undo_of, settlement, leaving }: AskedRun,
  items: AskedItem[],
): Promise<string> {
  const { seller_id, mode } = owner;
  const clock = { time_zone: seller.time_zone, now };
  return inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ id: string }>(
      `insert into bulk_run (seller_id, mode, operation, asked_day, asked_days, undo_of, started_by,
                             owed, owed_reason, owed_words, leave_reason, leave_words)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
      [
        seller_id,
        mode,
        aim.operation,
        ...askedOf(aim),
        undo_of,
        user.id,
        settlement?.owed ?? null,
        settlement?.reason ?? null,
        settlement?.words ?? null,
        leaving.reason,
        leaving.words,
      ],
    );
    const { id } = singleRow(rows);
    const planned = items.map((item, position) => {
      const { verdict, status, day, target, message } = planChange(aim, item, clock);
      const { subscription_id, buyer } = item;
      const state = verdict === "change" ? "waiting" : verdict;
      return { position, subscription_id, buyer, state, status, day, target, message };
    });
    await db.query(
      `insert into bulk_item (run_id, seller_id, mode, position, subscription_id, buyer, state,
                              status_before, day_before, target_day, message)
       select $1, $2, $3, position, subscription_id, buyer, state, status, day, target, message
         from jsonb_to_recordset($4) as item (position integer, subscription_id text, buyer text,
              state text, status text, day date, target date, message text)
       on conflict do nothing`,
      [id, seller_id, mode, JSON.stringify(planned)],
    );
    return id;
  });
}

const askedOf = (aim: BulkChange): [day: string | null, days: number | null] => [
  "day" in aim ? aim.day : null,
  "days" in aim ? aim.days : null,
];

type RunChange = "pause" | "continue" | "close" | "retry";

const CHANGES: Record<RunChange, string> = {
  pause: "paused_at = coalesce(paused_at, now())",
  continue: "paused_at = null, closed_at = null",
  close: "closed_at = coalesce(closed_at, now())",
  retry: "paused_at = null, closed_at = null",
};

export async function changeBulkRun(
  pool: Pick<pg.Pool, "connect">,
  { seller_id, mode }: KeyOwner,
  id: string,
  change: RunChange,
): Promise<void> {
  const whose = [id, seller_id, mode];
  await inTransaction(pool, async (db) => {
    await db.query(
      `update bulk_run set ${CHANGES[change]} where id = $1 and seller_id = $2 and mode = $3`,
      whose,
    );
    if (change !== "retry") return;
    await db.query(
      `update bulk_item set state = 'waiting', message = null, settled_at = null
        where run_id = $1 and seller_id = $2 and mode = $3 and state = 'failed'`,
      whose,
    );
  });
}

/** The run's operation, for the permission check; null if there is no such run. */
export async function findOperation(
  db: Database,
  { seller_id, mode }: KeyOwner,
  id: string,
): Promise<Operation | null> {
  const { rows } = await db.query<{ operation: Operation }>(
    "select operation from bulk_run where id = $1 and seller_id = $2 and mode = $3",
    [id, seller_id, mode],
  );
  return rows[0]?.operation ?? null;
}

/**
 * The actions need only the permission to read; an operation needs its own.
 * @throws AppError `forbidden`
 */
export function requireOperation({ role }: SignedIn, operation: Operation) {
  if (!can(role, `subscriptions:${operation}`)) throw new AppError({ kind: "forbidden" });
}

/** Turns pg's Date objects into texts, because JSON has no dates. */
function asText<Run extends BulkRun>(run: Run): Run {
  const text = (moment: string | null) => moment && new Date(moment).toISOString();
  return {
    ...run,
    created_at: text(run.created_at) ?? "",
    paused_at: text(run.paused_at),
    closed_at: text(run.closed_at),
  };
}
