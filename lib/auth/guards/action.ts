import "server-only";
import { headers } from "next/headers";
import type * as z from "zod";
import { getTranslations } from "next-intl/server";
import { AppError, type Failure } from "#lib/failure.ts";
import { translateMessage } from "#lib/i18n/message.ts";
import { logSecurity } from "#lib/log.ts";
import { isSameOrigin } from "#lib/auth/origin.ts";
import type { Session } from "#lib/auth/sessions/session.ts";
import { currentSession } from "./require-seller.ts";

export type GuardedResult<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

/**
 * Checks the origin of a request, parses the input and runs the action; returns expected failures.
 */
export async function runParsed<Input extends z.ZodType, Value>(
  schema: Input,
  input: unknown,
  run: (input: z.output<Input>) => Promise<Value>,
): Promise<GuardedResult<Value>> {
  if (!isSameOrigin(await headers())) {
    logSecurity("origin.refused", { guard: "action" });
    return failureResult({ kind: "forbidden" });
  }
  const parsed = schema.safeParse(input);
  if (!parsed.success) return failureResult(await inLanguage(validationFailure(parsed.error)));
  try {
    return { ok: true, value: await run(parsed.data) };
  } catch (error) {
    if (error instanceof AppError) return failureResult(await inLanguage(error.failure));
    throw error;
  }
}

export const failureResult = (failure: Failure): { ok: false; failure: Failure } => ({
  ok: false,
  failure,
});

/** Translates Duebook's own messages; text from the service is not changed. */
async function inLanguage(failure: Failure): Promise<Failure> {
  if (failure.kind !== "validation" && failure.kind !== "conflict") return failure;
  const t = await getTranslations();
  if (failure.kind === "conflict")
    return { ...failure, detail: translateMessage(t, failure.detail) };
  const fields = Object.entries(failure.fields).map(
    ([field, messages]) => [field, messages.map((text) => translateMessage(t, text))] as const,
  );
  const detail = failure.detail === null ? null : translateMessage(t, failure.detail);
  return { ...failure, detail, fields: Object.fromEntries(fields) };
}

/**
 * For routes that explain why they refused a file.
 * @throws the error; a failure is translated first
 */
export async function rethrowInLanguage(error: unknown): Promise<never> {
  throw error instanceof AppError ? new AppError(await inLanguage(error.failure)) : error;
}

function validationFailure(error: z.ZodError): Failure {
  const fields: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const path = issue.path.join(".");
    (fields[path] ??= []).push(issue.message);
  }
  return { kind: "validation", fields, detail: null };
}

interface Declaration<Input extends z.ZodType, Value> {
  input: Input;
  run: (session: Session, input: z.output<Input>) => Promise<Value>;
}

/** The guard of actions that need a signed-in person but no seller, such as joining a team. */
export function personAction<Input extends z.ZodType, Value>({
  input: schema,
  run,
}: Declaration<Input, Value>): (input: z.input<Input>) => Promise<GuardedResult<Value>> {
  return async (input) => {
    const session = await currentSession();
    if (!session) return failureResult({ kind: "signed_out" });
    return runParsed(schema, input, (parsed) => run(session, parsed));
  };
}

interface OpenDeclaration<Input extends z.ZodType, Value> {
  input: Input;
  run: (input: z.output<Input>) => Promise<Value>;
}

/** The guard of actions without a session. Actions that do costly work must be throttled. */
export function publicAction<Input extends z.ZodType, Value>({
  input: schema,
  run,
}: OpenDeclaration<Input, Value>): (input: z.input<Input>) => Promise<GuardedResult<Value>> {
  return (input) => runParsed(schema, input, run);
}
