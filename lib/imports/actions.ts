"use server";

import * as z from "zod";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { database } from "#lib/db/pool.ts";
import { storableText } from "#lib/text/fold-text.ts";
import { changeColumns, changeRow, DefaultTexts, setRunChoices } from "./changes.ts";
import { judgeContextOf } from "./data.ts";
import { judgeChangedRow, judgeImport } from "./judge.ts";
import { IMPORT_FIELDS, MAX_IMPORT_COLUMNS } from "./rules.ts";
import { deleteImport } from "./store.ts";

const OneImport = z.object({ id: z.uuid() });
const Field = z.enum(IMPORT_FIELDS);
const CellText = z.string().max(2_000).transform(storableText);

/** Confirms what the columns are, and judges every row; no subscription is made yet. */
export const checkImportAction = sellerAction({
  name: "import.check",
  permission: "subscriptions:create",
  input: OneImport.extend({
    hasHeadings: z.boolean(),
    columns: z.array(Field.nullable()).max(MAX_IMPORT_COLUMNS),
    defaults: DefaultTexts,
  }),
  run: async (signedIn, { id, ...chosen }, note) => {
    note.action = null;
    const context = await judgeContextOf(signedIn);
    await judgeImport(database(), context, id, (db, run) =>
      changeColumns(db, context.owner, run, chosen),
    );
    return null;
  },
});

/** Judges every row again, after a choice for the whole import or a change elsewhere. */
export const judgeImportAction = sellerAction({
  name: "import.check",
  permission: "subscriptions:create",
  input: OneImport.extend({
    date_order: z.enum(["dmy", "mdy"]).optional(),
    unpaid_choice: z.enum(["pending", "skip"]).optional(),
  }),
  run: async (signedIn, { id, ...choices }, note) => {
    note.action = null;
    const context = await judgeContextOf(signedIn);
    await judgeImport(database(), context, id, (db) =>
      setRunChoices(db, context.owner, id, choices),
    );
    return null;
  },
});

/** Corrects a row, or leaves it out of the import or takes it in. */
export const changeImportRowAction = sellerAction({
  name: "import.mend",
  permission: "subscriptions:create",
  input: OneImport.extend({
    position: z.int().min(1),
    texts: z.partialRecord(Field, CellText).optional(),
    choice: z.enum(["in", "out"]).nullable().optional(),
  }),
  run: async (signedIn, { id, position, ...change }, note) => {
    note.action = null;
    const context = await judgeContextOf(signedIn);
    await judgeChangedRow(database(), context, { id, position }, (db, run) =>
      changeRow(db, context.owner, run, position, change),
    );
    return null;
  },
});

/** Deletes an import with its rows; the subscriptions that it made stay. */
export const deleteImportAction = sellerAction({
  name: "import.delete",
  permission: "subscriptions:create",
  input: OneImport,
  run: async ({ owner }, { id }) => {
    await deleteImport(database(), owner, id);
    return null;
  },
});
