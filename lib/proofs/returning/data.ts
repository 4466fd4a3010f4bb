import "server-only";
import { requireSeller } from "#lib/auth/require-seller.ts";
import type { Mode, Scope } from "#lib/auth/scope.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { leaveHints } from "#lib/mirror/hints.ts";

const TOKEN = /^[0-9a-f]{64}$/;
const SUBSCRIPTION = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Of subscriptions that the copy does not know: anybody can make an id up. */
const MOST_UNKNOWN = 1_000;

/** Where buyers come back to when a seller has no page of their own. */
export async function getReturnPage(scope: Scope): Promise<string> {
  const { owner } = await requireSeller(scope, "seller:write");
  const { rows } = await database().query<{ return_token: string }>(
    "select return_token from seller where id = $1",
    [owner.seller_id],
  );
  return new URL(`/returned/${rows[0]?.return_token ?? ""}`, env().NEXTAUTH_URL).href;
}

/** The seller whose page it is; null for a token that nobody has. */
export async function findReturnPage(
  db: Database,
  token: string,
): Promise<{ seller_id: string; name: string } | null> {
  if (!TOKEN.test(token)) return null;
  const { rows } = await db.query<{ seller_id: string; name: string }>(
    "select id as seller_id, name from seller where return_token = $1",
    [token],
  );
  return rows[0] ?? null;
}

/**
 * Notes that a buyer came back, and has the record read again. It proves nothing: whoever knows the
 * address can open it.
 * @param subscription_id as the checkout has put it into the address; what is none is left alone
 */
export async function noteReturn(
  db: Database,
  seller_id: string,
  subscription_id: unknown,
): Promise<void> {
  const id = typeof subscription_id === "string" ? subscription_id.toLowerCase() : "";
  if (!SUBSCRIPTION.test(id)) return;
  const { rows } = await db.query<{ mode: Mode }>(
    `with known as (
       select mode from mirror_subscription where seller_id = $1 and id = $2
     ), noted as (
       insert into buyer_return (seller_id, mode, subscription_id, is_known)
       select $1, mode, $2, true from known
       union all
       select $1, c.mode, $2, false from billing_connection c
        where c.seller_id = $1 and not exists (select 1 from known)
          -- Of those that were unknown then, many came into the copy since.
          and (select count(*) from buyer_return b where seller_id = $1 and not is_known
                 and not exists (select 1 from mirror_subscription s where s.seller_id = $1
                                    and s.mode = b.mode and s.id = b.subscription_id)) < ${MOST_UNKNOWN}
       on conflict (seller_id, mode, subscription_id) do update
         set last_at = now(), is_known = excluded.is_known
         where buyer_return.last_at < now() - interval '5 seconds'
       returning mode
     )
     select mode from noted
      where notify_live($1, mode, 'proofs', array[$2]) is not null`,
    [seller_id, id],
  );
  await Promise.all(
    rows.map(({ mode }) => leaveHints(db, { seller_id, mode }, "subscriptions", [id])),
  );
}
