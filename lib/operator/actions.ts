"use server";

import * as z from "zod";
import { personAction } from "#lib/auth/guards/action.ts";
import { logSecurity } from "#lib/log.ts";
import { requireOperator } from "./require-operator.ts";

const Account = z.int().positive();
const Note = z.string().trim().max(2_000);

/** Verifies an account, asks it for more, or suspends it. */
export const decideAction = personAction({
  input: z.discriminatedUnion("decision", [
    z.object({ account: Account, decision: z.literal("approve") }),
    z.object({ account: Account, decision: z.literal("return"), note: Note }),
    z.object({ account: Account, decision: z.literal("suspend"), note: Note }),
  ]),
  run: async ({ user }, input) => {
    const { operator } = await requireOperator();
    const note = "note" in input ? input.note : null;
    const decided = await operator.decide(input.account, input.decision, note);
    const { account, decision } = input;
    logSecurity("operator.decided", { account: user.id, billing_account: account, decision });
    return decided;
  },
});
