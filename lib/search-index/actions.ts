"use server";

import * as z from "zod";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { openClient } from "#lib/billing/open-client.ts";
import { env } from "#lib/env.ts";
import { message } from "#lib/i18n/message.ts";
import type { CompareStep } from "./queries.ts";
import { stepCompare } from "#lib/search-index/compare/step.ts";
import { selectComparisons, startComparison } from "#lib/search-index/compare/store.ts";
import { requestFullSync } from "./sync/refresh-queue.ts";

export const requestFullSyncAction = sellerAction({
  name: "copy.look-again",
  permission: "connection:write",
  input: z.object({}),
  run: async ({ owner }) => {
    if (!(await requestFullSync(database(), owner)))
      throw new AppError({ kind: "not_connected" });
    return null;
  },
});

/** Starts a comparison in place of an unfinished one; the last finished one stays. */
export const startCompareAction = sellerAction({
  name: "reconciliation.start",
  permission: "connection:write",
  input: z.object({}),
  run: async ({ owner, user }) => {
    if (!(await startComparison(database(), owner, user.id)))
      throw new AppError({ kind: "conflict", detail: message("compare.notReady") });
    return null;
  },
});

/** Takes the next step of a comparison; the page calls it until the comparison ends. */
export const stepCompareAction = sellerAction({
  // The audit log already has the start, so only a failed step is written.
  name: "reconciliation.start",
  permission: "connection:write",
  input: z.object({ id: z.uuid() }),
  run: async ({ owner }, { id }, note): Promise<CompareStep> => {
    note.action = null;
    const db = database();
    const context = { db, owner, api: openClient(owner), calls: env().MIRROR_CALLS };
    const pause = await stepCompare(context, id);
    return { pause, comparisons: await selectComparisons(db, owner) };
  },
});
