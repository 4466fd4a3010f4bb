"use server";

import * as z from "zod";
import { sellerAction } from "#lib/auth/seller-action.ts";
import { database } from "#lib/db/pool.ts";
import { saveMessage } from "./data.ts";
import { MESSAGE_KINDS, messageProblem, readMessage } from "./rules.ts";

const Body = z
  .string()
  .max(10_000)
  .transform(readMessage)
  .refine((body) => messageProblem(body) === null, {
    error: ({ input }) => messageProblem(String(input)) ?? "",
  });

export const updateMessageAction = sellerAction({
  name: "message.update",
  permission: "seller:write",
  input: z.object({ kind: z.enum(MESSAGE_KINDS), body: Body }),
  run: async ({ seller }, input, note) => {
    note.detail = { message: input.kind };
    await saveMessage(database(), seller.id, input);
    return null;
  },
});
