import "server-only";
import * as z from "zod";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { singleRow, type Database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";
import { hasHiddenCharacters } from "#lib/text/fold-text.ts";
import { isImportField } from "./headings.ts";
import { cellAt, type ImportField, type ImportRow, type ImportRun } from "./rules.ts";
import { IN_IMPORT, IS_IMPORT, ofImport, rememberHeadings } from "./store.ts";

const text = (most: number) =>
  z
    .string()
    .trim()
    .max(most, message("fields.name.tooLong", { count: most }))
    .refine((given) => !hasHiddenCharacters(given), message("fields.hidden"))
    .transform((given) => given || null);

/** The texts that replace a row's empty cells. */
export const DefaultTexts = z.object({
  pbp_id: text(100),
  email: text(254).pipe(z.email(message("fields.email.invalid")).nullable()),
  address: text(500),
});

interface ChosenColumns {
  hasHeadings: boolean;
  columns: (ImportField | null)[];
  defaults: z.output<typeof DefaultTexts>;
}

/** Stores what the columns are, and remembers it for the seller's next file. */
export async function changeColumns(
  db: Database,
  owner: KeyOwner,
  run: ImportRun,
  { hasHeadings, columns, defaults }: ChosenColumns,
): Promise<void> {
  const headings = hasHeadings
    ? (run.headings ?? (await takeFirstRow(db, owner, run)))
    : await giveFirstRow(db, owner, run);
  await db.query(
    `update import_run r set headings = $4, columns = $5, default_pbp_id = $6,
            default_email = $7, default_address = $8 where ${IS_IMPORT}`,
    [
      ...ofImport(owner, run.id),
      headings && JSON.stringify(headings),
      JSON.stringify(run.columns.map((_, at) => columns[at] ?? null)),
      defaults.pbp_id,
      defaults.email,
      defaults.address,
    ],
  );
  if (headings) await rememberHeadings(db, owner, headings, columns);
}

/** Makes the first row the headings. */
async function takeFirstRow(db: Database, owner: KeyOwner, run: ImportRun) {
  const { rows } = await db.query<Pick<ImportRow, "cells">>(
    `delete from import_row i where ${IN_IMPORT}
        and i.position = (select min(i.position) from import_row i where ${IN_IMPORT})
     returning i.cells`,
    ofImport(owner, run.id),
  );
  const { cells } = singleRow(rows);
  return run.columns.map((_, at) => cells[at] ?? "");
}

/** Makes the headings a row like the others. */
async function giveFirstRow(db: Database, owner: KeyOwner, run: ImportRun): Promise<null> {
  if (run.headings)
    await db.query(
      `insert into import_row (run_id, seller_id, mode, position, cells)
       select r.id, r.seller_id, r.mode,
              coalesce((select min(i.position) - 1 from import_row i where ${IN_IMPORT}), 1),
              r.headings
         from import_run r where ${IS_IMPORT}`,
      ofImport(owner, run.id),
    );
  return null;
}

interface RunChoices {
  date_order?: ImportRun["date_order"] | undefined;
  unpaid_choice?: "pending" | "skip" | undefined;
}

export async function setRunChoices(
  db: Database,
  owner: KeyOwner,
  id: string,
  { date_order, unpaid_choice }: RunChoices,
): Promise<void> {
  await db.query(
    `update import_run r set date_order = coalesce($4, date_order),
            date_order_by = case when $4::text is null then date_order_by else 'seller' end,
            unpaid_choice = coalesce($5, unpaid_choice) where ${IS_IMPORT}`,
    [...ofImport(owner, id), date_order ?? null, unpaid_choice ?? null],
  );
}

interface RowChange {
  texts?: Partial<Record<ImportField, string>> | undefined;
  choice?: "in" | "out" | null | undefined;
}

/**
 * Stores a row's corrected texts by field, and whether the import takes the row in.
 * @throws AppError `not_found`
 */
export async function changeRow(
  db: Database,
  owner: KeyOwner,
  { id, columns }: ImportRun,
  position: number,
  { texts, choice }: RowChange,
): Promise<void> {
  const { rows } = await db.query<Pick<ImportRow, "cells" | "mended" | "choice">>(
    `select i.cells, i.mended, i.choice from import_row i where ${IN_IMPORT} and i.position = $4`,
    [...ofImport(owner, id), position],
  );
  const [row] = rows;
  if (!row) throw new AppError({ kind: "not_found" });
  const all = { ...row.mended, ...texts };
  // A text that is equal to the file's cell is no correction.
  const mended = Object.entries(all).filter(([field, given]) => {
    const at = isImportField(field) ? columns.indexOf(field) : -1;
    return given !== cellAt(row.cells, at);
  });
  await db.query(
    `update import_row i set mended = $5, choice = $6 where ${IN_IMPORT} and i.position = $4`,
    [
      ...ofImport(owner, id),
      position,
      JSON.stringify(Object.fromEntries(mended)),
      choice === undefined ? row.choice : choice,
    ],
  );
}
