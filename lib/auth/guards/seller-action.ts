import "server-only";
import { unstable_rethrow } from "next/navigation";
import * as z from "zod";
import { inSpan } from "#contract/process/tracing.ts";
import { AppError, DATABASE_AWAY, isAnswerLost, type Failure } from "#lib/failure.ts";
import { isDatabaseAway, logOutage } from "#lib/log.ts";
import { database } from "#lib/db/pool.ts";
import { logLine, logSecurity } from "#lib/log.ts";
import { runParsed, failureResult, type GuardedResult } from "./action.ts";
import { writeAudit, type AuditEntry } from "#lib/auth/guards/write-audit.ts";
import { can, type Permission } from "#lib/auth/permissions.ts";
import { requireSeller, type SignedIn } from "./require-seller.ts";
import { readScope, type Scope } from "#lib/scope.ts";

/** What an action adds to its audit entry. */
export type AuditNote = Pick<AuditEntry, "subscription_id" | "detail"> &
  Partial<Pick<AuditEntry, "result">> & {
    /** The action's name in the entry if not the declared one; null: only failures are logged. */
    action?: string | null;
  };

interface Declared {
  /** The action's name in the audit log: noun, dot, verb. */
  name: string;
  permission: Permission;
}

interface Declaration<Input extends z.ZodType, Value> extends Declared {
  input: Input;
  run: (seller: SignedIn, input: z.output<Input>, note: AuditNote) => Promise<Value>;
}

/** The action as the browser calls it, with the scope of the page and the input. */
type SellerAction<Input, Value> = (scope: Scope, input: Input) => Promise<GuardedResult<Value>>;

/**
 * The guard of actions: session, permission, origin, parse, run, audit. Refusals and expected failures
 * are returned; unexpected errors are thrown.
 */
export function sellerAction<Input extends z.ZodType, Value>(
  declaration: Declaration<Input, Value>,
): SellerAction<z.input<Input>, Value> {
  const act: SellerAction<z.input<Input>, Value> = async (scope, input) => {
    const { permission, input: schema, run } = declaration;
    const seller = await requireScope(scope, permission);
    if ("kind" in seller) return failureResult(seller);
    const note: AuditNote = {};
    const isAllowed = can(seller.role, permission);
    if (!isAllowed) logRefusal(declaration, seller);
    try {
      const result = isAllowed
        ? await runParsed(schema, input, (parsed) => run(seller, parsed, note))
        : failureResult({ kind: "forbidden" });
      await audit(declaration, seller, result.ok ? null : result.failure, note);
      if (result.ok && note.action !== null) await notifyOpenPages(declaration, seller, note);
      return result;
    } catch (error) {
      unstable_rethrow(error);
      await audit(declaration, seller, { kind: "unexpected" }, note);
      throw error;
    }
  };
  return (scope, input) => inSpan(`action ${declaration.name}`, {}, () => act(scope, input));
}

/** A call for another person's seller writes nothing to that seller's audit log. */
async function requireScope(
  scope: unknown,
  permission: Permission,
): Promise<SignedIn | Failure> {
  try {
    const known = GivenScope.safeParse(scope).data;
    // People without a required second factor may still leave the team from their account page.
    const needed = permission === "account:manage" ? permission : "dashboard:open";
    return await requireSeller(known ? readScope(known) : null, needed);
  } catch (error) {
    if (error instanceof AppError) return error.failure;
    if (!isDatabaseAway(error)) throw error;
    logOutage(error);
    return DATABASE_AWAY;
  }
}

const GivenScope = z.object({ seller: z.string(), mode: z.string() });

// Permissions whose actions belong to both modes of a seller.
const OF_BOTH_MODES = /^(account|ownership|seller|team):/;

function logRefusal({ name: action, permission }: Declared, { owner, user }: SignedIn) {
  const who = { account: user.id, seller: owner.seller_id };
  logSecurity("access.refused", { reason: "permission", ...who, permission, action });
}

async function audit(
  { name, permission }: Declared,
  { owner, user }: SignedIn,
  failure: Failure | null,
  note: AuditNote,
) {
  if (failure === null && note.action === null) return;
  const action = note.action ?? name;
  const entry: AuditEntry = {
    action,
    seller_id: owner.seller_id,
    mode: OF_BOTH_MODES.test(permission) ? null : owner.mode,
    user_id: user.id,
    subscription_id: note.subscription_id ?? null,
    result: failure === null ? (note.result ?? "done") : auditResult(failure),
    detail: { ...note.detail, ...(failure && { failure: failure.kind }) },
  };
  try {
    await writeAudit(database(), entry);
  } catch {
    // The service may have made the change, so the result is shown even without an audit entry.
    logLine(`audit: ${action} (${entry.result}) by ${user.id} could not be written`);
  }
}

/** Updates pages that other members have open; pages without a live connection refetch by themselves. */
async function notifyOpenPages(
  { name }: Pick<Declared, "name">,
  { owner }: SignedIn,
  { subscription_id }: AuditNote,
) {
  const ids = subscription_id == null ? [] : [subscription_id];
  await database()
    .query("select notify_live($1, $2, 'write', $3, jsonb_build_object('noun', $4::text))", [
      owner.seller_id,
      owner.mode,
      ids,
      name.split(".")[0],
    ])
    .catch(() => {});
}

function auditResult(failure: Failure): AuditEntry["result"] {
  if (isAnswerLost(failure)) return "unknown";
  return failure.kind === "forbidden" ? "refused" : "failed";
}
