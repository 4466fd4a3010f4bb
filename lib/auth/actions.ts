"use server";

import { cookies } from "next/headers";
import * as z from "zod";
import { database } from "#lib/db/pool.ts";
import { readSessionSecret, sessionCookieName } from "./cookies.ts";
import { sellerAction } from "./seller-action.ts";
import { revokeSession } from "./session.ts";

export const signOutAction = sellerAction({
  name: "session.end",
  permission: "dashboard:open",
  input: z.null(),
  run: async () => {
    const secret = await readSessionSecret();
    if (secret !== null) await revokeSession(database(), secret);
    (await cookies()).delete(sessionCookieName());
    return null;
  },
});
