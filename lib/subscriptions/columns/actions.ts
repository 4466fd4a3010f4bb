"use server";

import * as z from "zod";
import { personAction } from "#lib/auth/guards/action.ts";
import { database } from "#lib/db/pool.ts";
import { saveColumns } from "./data.ts";
import { isDefault, readColumns, SUBSCRIPTION_COLUMNS } from "./rules.ts";

export const saveColumnsAction = personAction({
  input: z.object({ shown: z.array(z.enum(SUBSCRIPTION_COLUMNS)).max(50) }),
  run: async ({ user }, { shown }) => {
    const columns = readColumns(shown);
    await saveColumns(database(), user.id, isDefault(columns) ? null : columns);
    return null;
  },
});
