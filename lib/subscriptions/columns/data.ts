import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { readColumns, type SubscriptionColumn } from "./rules.ts";

const LIST = "subscriptions";

/** The user's columns in their order. */
export async function getColumns(scope: Scope): Promise<SubscriptionColumn[]> {
  const { user } = await requireSeller(scope, "subscriptions:read");
  return selectColumns(database(), user.id);
}

export async function selectColumns(
  db: Database,
  user_id: string,
): Promise<SubscriptionColumn[]> {
  const { rows } = await db.query<{ shown: string[] }>(
    "select shown from list_columns where user_id = $1 and list = $2",
    [user_id, LIST],
  );
  return readColumns(rows[0]?.shown ?? null);
}

/** @param shown null for the default, which may change in a later version */
export async function saveColumns(
  db: Database,
  user_id: string,
  shown: SubscriptionColumn[] | null,
): Promise<void> {
  if (shown === null)
    await db.query("delete from list_columns where user_id = $1 and list = $2", [
      user_id,
      LIST,
    ]);
  else
    await db.query(
      `insert into list_columns (user_id, list, shown) values ($1, $2, $3)
       on conflict (user_id, list) do update set shown = excluded.shown`,
      [user_id, LIST, shown],
    );
}
