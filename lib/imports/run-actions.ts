"use server";

import * as z from "zod";
import { can } from "#lib/auth/permissions.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { database } from "#lib/db/pool.ts";
import { returnPageUrl } from "#lib/payments/buyer-returns.ts";
import { AppError } from "#lib/failure.ts";
import { judgeContextOf } from "./data.ts";
import { judgeImport } from "./judge.ts";
import { IMPORT_CHANGES } from "./run-queries.ts";
import { changeImportRun, startImport } from "./run-store.ts";
import { advanceImport } from "./run-step.ts";
import { countVerdicts } from "./store.ts";
import { findTakeOver, lazyTakeOver } from "./take-over.ts";

const RunOfImport = z.object({ id: z.uuid() });

/** Starts a judged import; the page then calls `stepImportAction`. */
export const startImportAction = sellerAction({
  name: "subscription.import",
  permission: "subscriptions:create",
  input: RunOfImport,
  run: async (signedIn, { id }, note) => {
    note.detail = { import_run: id };
    // Another import, or a buyer, may have changed what was judged.
    await judgeImport(database(), await judgeContextOf(signedIn), id);
    const { paid } = await countVerdicts(database(), signedIn.owner, id);
    const takesOver = paid === 0 || (await findTakeOver(signedIn)) !== null;
    const subscriptions = await startImport(database(), signedIn.owner, {
      id,
      user_id: signedIn.user.id,
      takesOver,
    });
    note.detail = { ...note.detail, subscriptions };
    return null;
  },
});

/** Processes rows for a moment. A page calls it until none is left. */
export const stepImportAction = sellerAction({
  name: "subscription.import-step",
  permission: "subscriptions:create",
  input: RunOfImport,
  run: async (signedIn, { id }, note) => {
    // Each subscription gets its own audit entry.
    note.action = null;
    const takeOver = lazyTakeOver(signedIn);
    return advanceImport({ ...signedIn, db: database(), takeOver, returnPageUrl }, id);
  },
});

/** Pauses, continues or ends a run, tries refused rows again, or takes back what was made. */
export const changeImportAction = sellerAction({
  name: "subscription.import-change",
  permission: "subscriptions:create",
  input: RunOfImport.extend({ change: z.enum(IMPORT_CHANGES) }),
  run: async ({ owner, role }, { id, change }, note) => {
    if (change === "undo" && !can(role, "subscriptions:cancel"))
      throw new AppError({ kind: "forbidden" });
    if (change === "undo") note.detail = { import_run: id };
    else note.action = null;
    await changeImportRun(database(), owner, id, change);
    return null;
  },
});
