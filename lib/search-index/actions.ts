"use server";

import * as z from "zod";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { requestFullSync } from "./sync/refresh-queue.ts";

/** Reads every record again as soon as the billing service allows it. */
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
