import "server-only";
import type * as z from "zod";
import { attempt, refuse, type ActionResult } from "./action.ts";
import { currentSession } from "./require-seller.ts";
import type { Session } from "#lib/auth/sessions/session.ts";

interface Declaration<Input extends z.ZodType, Value> {
  input: Input;
  run: (session: Session, input: z.output<Input>) => Promise<Value>;
}

/** The door of the few actions that a signed-in person takes without a seller: naming one, joining one. */
export function personAction<Input extends z.ZodType, Value>({
  input: schema,
  run,
}: Declaration<Input, Value>): (input: z.input<Input>) => Promise<ActionResult<Value>> {
  return async (input) => {
    const session = await currentSession();
    if (!session) return refuse({ kind: "signed_out" });
    return attempt(schema, input, (parsed) => run(session, parsed));
  };
}

interface OpenDeclaration<Input extends z.ZodType, Value> {
  input: Input;
  run: (input: z.output<Input>) => Promise<Value>;
}

/** The door of what happens before anybody is signed in. Whoever declares one throttles it. */
export function openAction<Input extends z.ZodType, Value>({
  input: schema,
  run,
}: OpenDeclaration<Input, Value>): (input: z.input<Input>) => Promise<ActionResult<Value>> {
  return (input) => attempt(schema, input, run);
}
