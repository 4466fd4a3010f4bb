import type { StateKind } from "#contract/names.ts";
import type { RestoredAccount, SavedState, StateList } from "#contract/sandbox.ts";
import { transaction, type Database } from "../../db/database.ts";
import { detailError, notFoundError } from "../../http/errors.ts";
import { findSeller, lockSeller, sellerNow, type Seller } from "../../sellers/store.ts";
import { lockAccount } from "../account/replace.ts";
import { savedTables } from "../account/tables.ts";
import { restoreState } from "./restore.ts";
import {
  deleteState,
  dropOldStates,
  findState,
  hasAtMostRows,
  insertState,
  readSchemaName,
  selectStates,
  type StateRow,
} from "./store.ts";

// ADR 0072: limits of what is saved and restored within seconds, and of a seller's space.
const MOST_ROWS = 200_000;
const MOST_SAVED = 10;
export const MAX_SAVED_BYTES = 200 * 1024 * 1024;
const AUTOMATIC = { most: 10, bytes: 100 * 1024 * 1024 };

type Moment = Pick<Seller, "seller_id"> & { realNow: Date };

/** @throws 400 if the limit of saved states is reached or the account is too large */
export async function saveState(
  database: Database,
  { seller_id, realNow }: Moment,
  name: string,
): Promise<SavedState> {
  await lockSeller(database, seller_id);
  const saved = (await selectStates(database, seller_id)).filter(
    ({ kind }) => kind === "saved",
  );
  if (saved.length >= MOST_SAVED)
    throw detailError(400, `At most ${MOST_SAVED} states can be saved. Delete one first.`);
  const row = await keep(database, { seller_id, realNow }, "saved", name);
  if (!row) throw detailError(400, "This account has too many records to be saved.");
  const bytes = saved.reduce((sum, state) => sum + state.bytes, row.bytes);
  // The error rolls the saved state back.
  if (bytes > MAX_SAVED_BYTES)
    throw detailError(400, "The saved states would take too much space. Delete one first.");
  return present(row, row.schema_name);
}

/** Saves a state and deletes the oldest automatic ones; null if the account is too large. */
export async function saveAutomaticState(
  database: Database,
  moment: Moment,
  kind: Exclude<StateKind, "saved">,
): Promise<number | null> {
  const row = await keep(database, moment, kind, "");
  if (row) await dropOld(database, moment.seller_id, row);
  return row?.id ?? null;
}

const dropOld = (database: Database, sellerId: number, { schema_name }: StateRow) =>
  dropOldStates(database, sellerId, { ...AUTOMATIC, schemaName: schema_name });

/** Saves a state in its own transaction, because an advance takes several. */
export const saveStateBeforeAdvance = (
  pool: Parameters<typeof transaction>[0],
  moment: Moment,
) =>
  transaction(pool, async (database) => {
    await lockSeller(database, moment.seller_id);
    return saveAutomaticState(database, moment, "before_move");
  });

async function keep(
  database: Database,
  { seller_id, realNow }: Moment,
  kind: StateKind,
  name: string,
): Promise<StateRow | null> {
  const seller = await findSeller(database, seller_id);
  const tables = await savedTables(database);
  if (!seller || !(await hasAtMostRows(database, seller_id, tables, MOST_ROWS))) return null;
  const clock_at = sellerNow(seller, realNow);
  return insertState(database, seller_id, tables, {
    kind,
    name,
    clock_at,
    created_at: realNow,
  });
}

export async function listStates(database: Database, sellerId: number): Promise<StateList> {
  const schemaName = await readSchemaName(database);
  const rows = await selectStates(database, sellerId);
  return { results: rows.map((row) => present(row, schemaName)), most_saved: MOST_SAVED };
}

/**
 * Restores a saved state.
 * @throws 404; 409 while the account is in use; 400 for a state of an older version
 */
export async function restoreSavedState(
  database: Database,
  moment: Moment,
  id: number,
): Promise<RestoredAccount> {
  const { seller_id, realNow } = moment;
  if (!(await findState(database, seller_id, id))) throw notFoundError();
  await lockAccount(database, seller_id, realNow);
  const state = await findState(database, seller_id, id);
  if (!state) throw notFoundError();
  if (state.schema_name !== (await readSchemaName(database)))
    throw detailError(400, "This state was saved by an older version of the service.");
  // Old states are deleted afterwards, because this may be one of them.
  const kept = await keep(database, moment, "before_restore", "");
  const sent_since = await restoreState(database, seller_id, id);
  if (kept) await dropOld(database, seller_id, kept);
  return { message: "The account was restored.", undo: kept?.id ?? null, sent_since };
}

export async function removeState(
  database: Database,
  sellerId: number,
  id: number,
): Promise<void> {
  if (!(await deleteState(database, sellerId, id))) throw notFoundError();
}

const present = (
  { schema_name, clock_at, created_at, ...row }: StateRow,
  schemaName: string,
): SavedState => ({
  ...row,
  clock_at: clock_at.toISOString(),
  created_at: created_at.toISOString(),
  is_restorable: schema_name === schemaName,
});
