import "server-only";
import { unstable_rethrow } from "next/navigation";
import * as z from "zod";
import { inSpan } from "#contract/process/tracing.ts";
import { AppError, DATABASE_AWAY, isLost, type Failure } from "#lib/failure.ts";
import { isDatabaseAway, tellAway } from "#lib/db/away.ts";
import { database } from "#lib/db/pool.ts";
import { logLine, logSecurity } from "#lib/log.ts";
import { attempt, refuse, type ActionResult } from "./action.ts";
import { writeAudit, type AuditEntry } from "#lib/auth/guards/write-audit.ts";
import { can, type Permission } from "#lib/auth/permissions.ts";
import { requireSeller, type SignedIn } from "./require-seller.ts";
import { readScope, type Scope } from "#lib/scope.ts";

/** What the audit log keeps of a call beside who and when. */
export type AuditNote = Pick<AuditEntry, "subscription_id" | "detail"> &
  Partial<Pick<AuditEntry, "result">> & {
    /** What came to pass instead of what the action is called; null when nothing did. */
    action?: string | null;
  };

interface Declaration<Input extends z.ZodType, Value> {
  /** The audit log's name for it: noun, dot, verb. */
  name: string;
  permission: Permission;
  input: Input;
  run: (seller: SignedIn, input: z.output<Input>, note: AuditNote) => Promise<Value>;
}

/** What a page calls: for which seller and mode it was rendered, then what it wants. */
export type SellerAction<Input, Value> = (
  scope: Scope,
  input: Input,
) => Promise<ActionResult<Value>>;

/**
 * The action's door: session, origin, permission, parse, run, audit. A refusal and an expected
 * failure come back as a value; a surprise is thrown.
 */
export function sellerAction<Input extends z.ZodType, Value>(
  declaration: Declaration<Input, Value>,
): SellerAction<z.input<Input>, Value> {
  const act: SellerAction<z.input<Input>, Value> = async (scope, input) => {
    const { permission, input: schema, run } = declaration;
    const seller = await tryScope(scope, permission);
    if ("kind" in seller) return refuse(seller);
    const note: AuditNote = {};
    const isAllowed = can(seller.role, permission);
    if (!isAllowed) tellRefused(declaration, seller);
    try {
      const result = isAllowed
        ? await attempt(schema, input, (parsed) => run(seller, parsed, note))
        : refuse({ kind: "forbidden" });
      await audit(declaration, seller, result.ok ? null : result.failure, note);
      if (result.ok && note.action !== null) await tellOthers(declaration, seller, note);
      return result;
    } catch (error) {
      unstable_rethrow(error);
      await audit(declaration, seller, { kind: "unexpected" }, note);
      throw error;
    }
  };
  return (scope, input) => inSpan(`action ${declaration.name}`, {}, () => act(scope, input));
}

/** A call that names another's seller leaves no trace in that seller's record. */
async function tryScope(scope: unknown, permission: Permission): Promise<SignedIn | Failure> {
  try {
    const known = GivenScope.safeParse(scope).data;
    // Who is led to their account may leave the seller from there.
    const needed = permission === "account:manage" ? permission : "dashboard:open";
    return await requireSeller(known ? readScope(known) : null, needed);
  } catch (error) {
    if (error instanceof AppError) return error.failure;
    if (!isDatabaseAway(error)) throw error;
    tellAway(error);
    return DATABASE_AWAY;
  }
}

const GivenScope = z.object({ seller: z.string(), mode: z.string() });

// What these allow belongs to a seller as a whole; the rest to the mode that was open.
const OF_BOTH_MODES = /^(account|ownership|seller|team):/;

function tellRefused(
  { name: action, permission }: Pick<Declaration<z.ZodType, unknown>, "name" | "permission">,
  { owner, user }: SignedIn,
) {
  const who = { account: user.id, seller: owner.seller_id };
  logSecurity("access.refused", { reason: "permission", ...who, permission, action });
}

async function audit(
  { name, permission }: Pick<Declaration<z.ZodType, unknown>, "name" | "permission">,
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
    // What happened at the service has happened: the seller must see it, log or no log.
    logLine(`audit: ${action} (${entry.result}) by ${user.id} could not be written`);
  }
}

/** Pages that others have open follow; those that cannot be told look again by themselves. */
async function tellOthers(
  { name }: Pick<Declaration<z.ZodType, unknown>, "name">,
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
  if (isLost(failure)) return "unknown";
  return failure.kind === "forbidden" ? "refused" : "failed";
}
