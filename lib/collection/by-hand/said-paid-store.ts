import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import type { SaidPaid } from "./queries.ts";

const MOST = 100;

/** SQL: the contact c, of seller $1 and mode $2, is an unchecked note that a buyer paid. */
export const IS_SAID_PAID = `c.kind = 'says_paid' and c.undone_at is null
  and not exists (select from contact k
    where k.seller_id = $1 and k.mode = $2 and k.subscription_id = c.subscription_id
      and k.kind = 'paid_checked' and k.undone_at is null and k.detail->>'of' = c.id::text)`;

/** Unchecked notes that a buyer paid, oldest first. */
export async function readSaidPaid(
  db: Database,
  { seller_id, mode }: KeyOwner,
  which: { subscription_id?: string; id?: string } = {},
): Promise<SaidPaid[]> {
  const { rows } = await db.query<Omit<SaidPaid, "at"> & { at: Date }>(
    `select c.id::text, c.subscription_id, s.full_name as buyer, coalesce(c.clock_at, c.at) as at,
            c.person_name, c.detail->>'amount' as amount, c.detail->>'currency' as currency,
            c.detail->>'method' as method, c.detail->>'reference' as reference,
            c.detail->>'received_on' as received_on
       from contact c
       left join indexed_subscription s
         on s.seller_id = c.seller_id and s.mode = c.mode and s.id = c.subscription_id
      where c.seller_id = $1 and c.mode = $2 and ${IS_SAID_PAID}
        and ($3::text is null or c.subscription_id = $3)
        and ($4::bigint is null or c.id = $4)
      order by c.id limit ${MOST}`,
    [seller_id, mode, which.subscription_id ?? null, which.id ?? null],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
