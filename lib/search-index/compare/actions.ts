"use server";

import * as z from "zod";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { AppError } from "#lib/failure.ts";
import { openClient } from "#lib/billing/open-client.ts";
import { database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { message } from "#lib/i18n/message.ts";
import { pauseCheck, repairCheck, selectReconciliation, startCheck } from "./store.ts";
import type { StepTaken } from "./queries.ts";
import { REACHES } from "./differences.ts";
import { stepCheck } from "./step.ts";

/** Begins a comparison; one that was stopped is forgotten, the last one that ended stays. */
export const startCheckAction = sellerAction({
  name: "reconciliation.start",
  permission: "connection:write",
  input: z.object({ reach: z.enum(REACHES) }),
  run: async ({ owner, user }, { reach }, note) => {
    note.detail = { reach };
    if (!(await startCheck(database(), owner, { reach, user_id: user.id })))
      throw new AppError({
        kind: "conflict",
        detail: message("reconciliation.noCopy.text"),
      });
    return null;
  },
});

/** Takes the next piece of it. A page calls it until it says that nothing is left. */
export const stepCheckAction = sellerAction({
  // A piece of what the start began: only one that failed is in the record.
  name: "reconciliation.start",
  permission: "connection:write",
  input: z.object({ id: z.uuid() }),
  run: async ({ owner }, { id }, note): Promise<StepTaken> => {
    // Nothing is changed by it.
    note.action = null;
    const db = database();
    const desk = { db, owner, api: openClient(owner), calls: env().MIRROR_CALLS };
    const halt = await stepCheck(desk, id);
    return { halt, view: await selectReconciliation(db, owner) };
  },
});

/** Stops it for everybody who looks at it, or lets it go on. */
export const pauseCheckAction = sellerAction({
  name: "reconciliation.pause",
  permission: "connection:write",
  input: z.object({ id: z.uuid(), is_paused: z.boolean() }),
  run: async ({ owner }, { id, is_paused }, note) => {
    note.action = null;
    await pauseCheck(database(), owner, id, is_paused);
    return null;
  },
});

/** Has the copy read again what differs, or everything; then the comparison looks at it again. */
export const repairCheckAction = sellerAction({
  name: "reconciliation.repair",
  permission: "connection:write",
  input: z.object({ id: z.uuid(), how: z.enum(["records", "everything"]) }),
  run: async ({ owner }, { id, how }, note) => {
    const records = await repairCheck(database(), owner, id, how);
    if (records === null) throw new AppError({ kind: "not_found" });
    note.detail = { how, records };
    return null;
  },
});
