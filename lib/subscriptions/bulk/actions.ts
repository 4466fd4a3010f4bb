"use server";

import * as z from "zod";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { AppError } from "#lib/failure.ts";
import { database } from "#lib/db/pool.ts";
import { changeBulkRun, findOperation, requireOperation } from "./data.ts";
import { runNextItem } from "./run-step.ts";

const OneRun = z.object({ id: z.uuid() });

/** Processes the next item. A page calls it until none is left. */
export const stepBulkRunAction = sellerAction({
  name: "subscription.bulk-step",
  permission: "subscriptions:read",
  input: OneRun,
  run: async (signedIn, { id }, note) => {
    await requireRun(signedIn, id);
    const { time_zone } = signedIn.seller;
    return runNextItem({ ...signedIn, db: database(), time_zone }, id, note);
  },
});

/** Pauses, continues or ends a run for all its viewers, or retries the failed items. */
export const changeBulkRunAction = sellerAction({
  name: "subscription.bulk-change",
  permission: "subscriptions:read",
  input: OneRun.extend({ change: z.enum(["pause", "continue", "close", "retry"]) }),
  run: async (signedIn, { id, change }, note) => {
    await requireRun(signedIn, id);
    // The changes of the items are audited; pausing a run is not.
    note.action = null;
    await changeBulkRun(database(), signedIn.owner, id, change);
    return null;
  },
});

async function requireRun(signedIn: SignedIn, id: string) {
  const operation = await findOperation(database(), signedIn.owner, id);
  if (operation === null) throw new AppError({ kind: "not_found" });
  requireOperation(signedIn, operation);
}
