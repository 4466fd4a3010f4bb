import "server-only";
import { headers } from "next/headers";
import { unstable_rethrow } from "next/navigation";
import type * as z from "zod";
import { BillingError, failureOf, type Failure } from "#lib/billing/errors.ts";
import { database } from "#lib/db/pool.ts";
import { logLine } from "#lib/log.ts";
import { writeAudit, type AuditEntry } from "./audit.ts";
import { isSameOrigin } from "./origin.ts";
import { can, type Permission } from "./permissions.ts";
import { requireSeller, type SignedIn } from "./require-seller.ts";

export type ActionResult<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

/** What the audit log keeps of a call beside who and when. */
export type AuditNote = Pick<AuditEntry, "subscription_id" | "detail">;

interface Declaration<Input extends z.ZodType, Value> {
  /** The audit log's name for it: noun, dot, verb. */
  name: string;
  permission: Permission;
  input: Input;
  run: (seller: SignedIn, input: z.output<Input>, note: AuditNote) => Promise<Value>;
}

/**
 * The action's door: session, origin, permission, parse, run, audit. A refusal and an expected
 * failure come back as a value; a surprise is thrown.
 */
export function sellerAction<Input extends z.ZodType, Value>(
  declaration: Declaration<Input, Value>,
): (input: z.input<Input>) => Promise<ActionResult<Value>> {
  return async (input) => {
    const seller = await trySession();
    if (!seller) return { ok: false, failure: { kind: "signed_out" } };
    const note: AuditNote = {};
    const { name } = declaration;
    try {
      const result = await attempt(declaration, seller, input, note);
      await audit(name, seller, result.ok ? null : result.failure, note);
      return result;
    } catch (error) {
      unstable_rethrow(error);
      await audit(name, seller, { kind: "unexpected" }, note);
      throw error;
    }
  };
}

async function trySession(): Promise<SignedIn | null> {
  try {
    return await requireSeller("dashboard:open");
  } catch (error) {
    if (failureOf(error).kind === "signed_out") return null;
    throw error;
  }
}

async function attempt<Input extends z.ZodType, Value>(
  { permission, input: schema, run }: Declaration<Input, Value>,
  seller: SignedIn,
  input: unknown,
  note: AuditNote,
): Promise<ActionResult<Value>> {
  if (!isSameOrigin(await headers()) || !can(seller.role, permission)) {
    return { ok: false, failure: { kind: "forbidden" } };
  }
  const parsed = schema.safeParse(input);
  if (!parsed.success) return { ok: false, failure: validationFailure(parsed.error) };
  try {
    return { ok: true, value: await run(seller, parsed.data, note) };
  } catch (error) {
    if (error instanceof BillingError) return { ok: false, failure: error.failure };
    throw error;
  }
}

function validationFailure(error: z.ZodError): Failure {
  const fields: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const path = issue.path.join(".");
    (fields[path] ??= []).push(issue.message);
  }
  return { kind: "validation", fields, detail: null };
}

async function audit(
  action: string,
  { seller, user }: SignedIn,
  failure: Failure | null,
  note: AuditNote,
) {
  const entry: AuditEntry = {
    action,
    seller_id: seller.id,
    user_id: user.id,
    subscription_id: note.subscription_id ?? null,
    result: failure === null ? "done" : auditResult(failure),
    detail: { ...note.detail, ...(failure && { failure: failure.kind }) },
  };
  try {
    await writeAudit(database(), entry);
  } catch {
    // What happened at the service has happened: the seller must see it, log or no log.
    logLine(`audit: ${action} (${entry.result}) by ${user.id} could not be written`);
  }
}

function auditResult(failure: Failure): AuditEntry["result"] {
  if (failure.kind === "unavailable" && failure.outcome_unknown) return "unknown";
  return failure.kind === "forbidden" ? "refused" : "failed";
}
