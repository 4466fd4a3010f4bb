"use server";

import * as z from "zod";
import { logSecurity } from "#lib/log.ts";
import { operatorAction } from "./guards.ts";

const Account = z.int().positive();
const Note = z.string().trim().max(2_000);

/** Verifies an account, returns it with a note, or suspends it. */
export const decideAction = operatorAction({
  input: z.discriminatedUnion("decision", [
    z.object({ account: Account, decision: z.literal("approve") }),
    z.object({ account: Account, decision: z.literal("return"), note: Note }),
    z.object({ account: Account, decision: z.literal("suspend"), note: Note }),
  ]),
  run: async ({ user, operator }, input) => {
    const note = "note" in input ? input.note : null;
    const decided = await operator.decide(input.account, input.decision, note);
    const { account, decision } = input;
    logSecurity("operator.decided", { account: user.id, billing_account: account, decision });
    return decided;
  },
});
