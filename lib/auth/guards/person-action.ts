import "server-only";
import type * as z from "zod";
import { runParsed, fail, type ActionResult } from "./action.ts";
import { currentSession } from "./require-seller.ts";
import type { Session } from "#lib/auth/sessions/session.ts";

interface Declaration<Input extends z.ZodType, Value> {
  input: Input;
  run: (session: Session, input: z.output<Input>) => Promise<Value>;
}

/** The guard of actions that need a signed-in person but no seller, such as joining a team. */
export function personAction<Input extends z.ZodType, Value>({
  input: schema,
  run,
}: Declaration<Input, Value>): (input: z.input<Input>) => Promise<ActionResult<Value>> {
  return async (input) => {
    const session = await currentSession();
    if (!session) return fail({ kind: "signed_out" });
    return runParsed(schema, input, (parsed) => run(session, parsed));
  };
}

interface OpenDeclaration<Input extends z.ZodType, Value> {
  input: Input;
  run: (input: z.output<Input>) => Promise<Value>;
}

/** The guard of actions without a session. Each must be throttled. */
export function openAction<Input extends z.ZodType, Value>({
  input: schema,
  run,
}: OpenDeclaration<Input, Value>): (input: z.input<Input>) => Promise<ActionResult<Value>> {
  return (input) => runParsed(schema, input, run);
}
