"use server";

import * as z from "zod";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { AppError } from "#lib/failure.ts";
import { database } from "#lib/db/pool.ts";
import { requestFullSync } from "./sync/refresh-queue.ts";
import { switchIndex } from "./sync/restart.ts";

/** Keeps a copy from now on: it begins with nothing. */
export const startCopyAction = sellerAction({
  name: "copy.start",
  permission: "connection:write",
  input: z.object({}),
  run: async ({ owner }) => {
    await switchOrFail(owner, true);
    return null;
  },
});

/** Forgets the copied records, and copies no more. */
export const stopCopyAction = sellerAction({
  name: "copy.stop",
  permission: "connection:write",
  input: z.object({}),
  run: async ({ owner }) => {
    await switchOrFail(owner, false);
    return null;
  },
});

async function switchOrFail(owner: KeyOwner, is_on: boolean) {
  if (!(await switchIndex(database(), owner, is_on)))
    throw new AppError({ kind: "not_connected" });
}

/** Has every record read again as soon as the service lets us. */
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
