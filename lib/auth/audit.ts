import "server-only";
import type { Database } from "#lib/db/pool.ts";

export interface AuditEntry {
  seller_id: string;
  user_id: string;
  action: string;
  subscription_id?: string | null;
  /** `unknown`: the answer was lost, so nobody can say whether it happened. */
  result: "done" | "refused" | "failed" | "unknown";
  /** Never personal data: this log outlives the records it tells of. */
  detail?: Record<string, string | number | boolean | null>;
}

export async function writeAudit(db: Database, entry: AuditEntry): Promise<void> {
  await db.query(
    `insert into audit_log (seller_id, user_id, action, subscription_id, result, detail)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      entry.seller_id,
      entry.user_id,
      entry.action,
      entry.subscription_id ?? null,
      entry.result,
      entry.detail ?? {},
    ],
  );
}
