import "server-only";
import { headers } from "next/headers";
import { database, type Database } from "#lib/db/pool.ts";
import { currentRequestId } from "#lib/trace.ts";
import { clientAddress } from "#lib/auth/origin.ts";
import type { Mode } from "#lib/scope.ts";
import type { SignedIn } from "./require-seller.ts";

export type AuditResult = "done" | "refused" | "failed" | "unknown";

export interface AuditEntry {
  seller_id: string;
  /** Null for actions that belong to both modes, such as team changes. */
  mode?: Mode | null;
  user_id: string;
  action: string;
  subscription_id?: string | null;
  /** `unknown`: the answer was lost, so the outcome cannot be known. */
  result: AuditResult;
  /**
   * Contains no data of buyers, because the log outlives the records it describes. Changes come in
   * pairs, such as `role_before` and `role`; `member` is the id of another person, whose name is
   * stored beside it.
   */
  detail?: Record<string, string | number | boolean | null>;
}

/**
 * Also stores the people's current names, the request id and the IP address. When the action failed,
 * `member` gets a name only if that person belongs to the seller's team.
 */
export async function writeAudit(db: Database, entry: AuditEntry): Promise<void> {
  const { member } = entry.detail ?? {};
  const request = currentRequestId();
  await db.query(
    `insert into audit_log (seller_id, user_id, action, subscription_id, result, detail, mode,
                            address, user_name, member_name)
     values ($1, $2, $3, $4, $5, $6, $7, $8, (select name from app_user where id = $2),
             (select name from app_user u where u.id = $9::uuid and ($5 = 'done' or exists
               (select 1 from membership m where m.user_id = u.id and m.seller_id = $1))))`,
    [
      entry.seller_id,
      entry.user_id,
      entry.action,
      entry.subscription_id ?? null,
      entry.result,
      { ...entry.detail, ...(request !== null && { request }) },
      entry.mode ?? null,
      await requestAddress(),
      typeof member === "string" ? member : null,
    ],
  );
}

/** Logs a file that the user downloads. */
export const auditExport = (
  { owner, user }: Pick<SignedIn, "owner" | "user">,
  entry: Pick<AuditEntry, "action" | "detail">,
): Promise<void> =>
  writeAudit(database(), { ...owner, user_id: user.id, result: "done", ...entry });

/** Reads the client's address here, so that no caller can forget it. */
async function requestAddress(): Promise<string | null> {
  try {
    return clientAddress(await headers());
  } catch {
    // Commands and tests have no request.
    return null;
  }
}
