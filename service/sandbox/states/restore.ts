import type { Database } from "../../db/database.ts";
import { bookAccount, clearLedger } from "../../ledger/book.ts";
import { DELIVERIES_CHANNEL } from "../../subscriptions/emit-events.ts";
import { clearProductTallies, throwBusyIfReferenced } from "../account/replace.ts";
import { savedTables, type AccountTable } from "../account/tables.ts";
import { restoreSeller } from "./store.ts";

/**
 * Tables whose rows are merged, not replaced: sent deliveries stay sent, and receivers keep the
 * newest secret.
 */
const MERGED: Record<string, { kept?: string[]; only?: string; adds?: boolean }> = {
  product: {},
  product_image: {},
  plan: {},
  billing_period: {},
  offer: {},
  webhook: { kept: ["sealed_secret", "previous_sealed_secret", "previous_secret_until"] },
  // A delivery that was finished after the state was saved stays finished.
  delivery: { only: "delivery.state in ('pending', 'skipped')", adds: true },
  delivery_attempt: { only: "false", adds: true },
};

const SAVED = (table: string) =>
  `sandbox_state_part p cross join lateral jsonb_populate_recordset(null::${table}, p.rows) s
   where p.state_id = $2 and p.seller_id = $1 and p.table_name = '${table}'`;

/** Restores the locked account; returns how many deliveries have been sent since. */
export async function restoreState(
  database: Database,
  sellerId: number,
  id: number,
): Promise<number> {
  const place = [sellerId, id] as const;
  const tables = await savedTables(database);
  const sent = await stopDeliveries(database, place);
  await clearProductTallies(database, sellerId);
  await database.query("delete from subscription_tally where seller_id = $1", [sellerId]);
  await clearLedger(database, sellerId);
  for (const table of tables) await remove(database, table, place);
  for (const table of tables.toReversed()) await putBack(database, table, place);
  await database.query(
    `update webhook w set failing_since = s.failing_since
     from ${SAVED("webhook")} and w.id = s.id and w.seller_id = $1`,
    [...place],
  );
  await restoreSeller(database, sellerId, id);
  await bookAccount(database, sellerId);
  // The workers may lease the endpoints again and have deliveries to send.
  await database.query("delete from delivery_endpoint where seller_id = $1", [sellerId]);
  await database.query(`select pg_notify('${DELIVERIES_CHANNEL}', '')`);
  return sent;
}

/** Skips pending deliveries outside the state; deletes those of endpoints outside it. */
async function stopDeliveries(
  database: Database,
  place: readonly [number, number],
): Promise<number> {
  const isNew = `d.seller_id = $1 and not exists (select from known where known.delivery_id = d.delivery_id)`;
  const known = `with known as materialized (select s.delivery_id from ${SAVED("delivery")})`;
  const { rows } = await database.query<{ sent: number }>(
    `${known} select count(*) as sent from delivery d
     where ${isNew} and d.first_attempt_at is not null`,
    [...place],
  );
  await database.query(
    `${known} update delivery d set state = 'skipped' where ${isNew} and d.state = 'pending'`,
    [...place],
  );
  for (const table of ["delivery_attempt", "delivery"])
    await database.query(
      `delete from ${table} where seller_id = $1 and delivery_id in (
         select delivery_id from delivery where seller_id = $1 and webhook_id in (
           select id from webhook where seller_id = $1
           except select s.id from ${SAVED("webhook")}))`,
      [...place],
    );
  return rows[0]?.sent ?? 0;
}

/** Deletes all rows; of merged tables only those that are not in the state, of deliveries none. */
async function remove(
  database: Database,
  { name, key }: AccountTable,
  place: readonly [number, number],
): Promise<void> {
  const merged = MERGED[name];
  if (merged?.adds) return;
  const keys = key.join(", ");
  const known = `(${keys}) not in (select ${key.map((column) => `s.${column}`).join(", ")} from ${SAVED(name)})`;
  await database
    .query(
      `delete from ${name} where seller_id = $1${merged ? ` and ${known}` : ""}`,
      merged ? [...place] : [place[0]],
    )
    .catch(throwBusyIfReferenced);
}

async function putBack(
  database: Database,
  { name, columns, key, numbered }: AccountTable,
  place: readonly [number, number],
): Promise<void> {
  const merged = MERGED[name];
  const fixed = new Set([...key, ...numbered, ...(merged?.kept ?? [])]);
  const changes = columns
    .filter((column) => !fixed.has(column))
    .map((column) => `${column} = excluded.${column}`);
  const onConflict =
    !merged || merged.only === "false"
      ? "on conflict do nothing"
      : `on conflict (${key.join(", ")}) do update set ${changes.join(", ")}
         where ${name}.seller_id = $1${merged.only ? ` and ${merged.only}` : ""}`;
  await database.query(
    `insert into ${name} (${columns.join(", ")}) overriding system value
     select ${columns.map((column) => `s.${column}`).join(", ")} from ${SAVED(name)}
       and s.seller_id = $1
     order by p.part ${merged ? onConflict : ""}`,
    [...place],
  );
}
