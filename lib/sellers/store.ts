import "server-only";
import type pg from "pg";
import { writeAudit } from "#lib/auth/guards/write-audit.ts";
import { AppError } from "#lib/failure.ts";
import { inTransaction, singleRow, type Database } from "#lib/db/pool.ts";
import { message } from "#lib/i18n/message.ts";
import type { SellerDetails } from "./rules.ts";

const MOST_FOUNDED = 20;

/** Creates a seller owned by the person. @returns its id, and its code in URLs */
export function createSeller(
  pool: pg.Pool,
  user_id: string,
  { name, time_zone, currency, amount_style }: SellerDetails,
): Promise<{ id: string; code: string }> {
  return inTransaction(pool, async (client) => {
    await refuseTooMany(client, user_id);
    const { rows } = await client.query<{ id: string; code: string }>(
      `insert into seller (name, time_zone, currency, amount_style)
       values ($1, $2, $3, $4) returning id, code`,
      [name, time_zone, currency, amount_style],
    );
    const seller = singleRow(rows);
    await client.query(
      "insert into membership (user_id, seller_id, role) values ($1, $2, 'owner')",
      [user_id, seller.id],
    );
    const detail = { time_zone, currency, amount_style };
    const entry = { action: "seller.create", seller_id: seller.id, user_id, detail };
    await writeAudit(client, { ...entry, result: "done" });
    return seller;
  });
}

async function refuseTooMany(client: Database, user_id: string) {
  // Locked, so that concurrent requests cannot exceed the limit.
  await client.query("select 1 from app_user where id = $1 for no key update", [user_id]);
  const { rowCount } = await client.query(
    "select 1 from membership where user_id = $1 and role = 'owner'",
    [user_id],
  );
  if ((rowCount ?? 0) < MOST_FOUNDED) return;
  const detail = message("sellers.tooMany", { count: MOST_FOUNDED });
  throw new AppError({ kind: "conflict", detail });
}

/** Changes the settings. The code never changes, so URLs stay valid. */
export async function updateSeller(
  db: Database,
  seller_id: string,
  {
    name,
    time_zone,
    currency,
    amount_style,
    return_url,
    leave_reasons,
    needs_leave_reason,
  }: SellerDetails & {
    return_url: string | null;
    leave_reasons: readonly string[];
    needs_leave_reason: boolean;
  },
): Promise<void> {
  await db.query(
    `update seller set name = $2, time_zone = $3, currency = $4, amount_style = $5,
            return_url = $6, leave_reasons = $7, needs_leave_reason = $8
      where id = $1`,
    [
      seller_id,
      name,
      time_zone,
      currency,
      amount_style,
      return_url,
      leave_reasons,
      needs_leave_reason,
    ],
  );
}
