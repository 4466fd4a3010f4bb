import "server-only";
import { queryRow } from "#contract/process/database.ts";
import type pg from "pg";
import { isReturnToken, returnPage } from "#contract/return-page.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { Mode } from "#lib/scope.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { networkOf } from "#contract/process/network.ts";
import { reserveAttempt } from "#lib/auth/credentials/throttle.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { UUID } from "#lib/search-params.ts";
import { enqueueRefresh } from "#lib/search-index/sync/refresh-queue.ts";
import { readSubscriptionPayments } from "./store.ts";
import { currentPayment, isPaidStatus } from "./rules.ts";

/** Maximum number of stored ids that no record has, because anybody can invent an id. */
const MOST_UNKNOWN = 1_000;

/** The address of the dashboard's own page for buyers who return from a checkout. */
export const returnPageUrl = (token: string): string =>
  new URL(returnPage(token), env().NEXTAUTH_URL).href;

/** The seller of a return page; null for an unknown token. */
export async function findReturnPage(
  db: Database,
  token: string,
): Promise<{ seller_id: string; name: string } | null> {
  if (!isReturnToken(token)) return null;
  return queryRow<{ seller_id: string; name: string }>(
    db,
    "select id as seller_id, name from seller where return_token = $1",
    [token],
  );
}

/**
 * Stores that a buyer returned and queues the subscription to be read again. It proves no payment,
 * because anybody with the URL can open it. Limited per network and per seller.
 */
export async function recordBuyerReturn(
  pool: pg.Pool,
  seller_id: string,
  subscription_id: unknown,
  address: string | null,
  now = new Date(),
): Promise<void> {
  const id = idOf(subscription_id);
  if (id === null) return;
  const { wait_seconds } = await reserveAttempt(
    pool,
    [
      { limit: "returning_here", of: [seller_id, networkOf(address)] },
      { limit: "returning_anywhere", of: [seller_id] },
    ],
    now,
  );
  if (wait_seconds > 0) return;
  const { rows } = await pool.query<{ mode: Mode }>(
    `with known as (
       select mode from indexed_subscription where seller_id = $1 and id = $2
     ), noted as (
       insert into buyer_return (seller_id, mode, subscription_id, is_known)
       select $1, mode, $2, true from known
       union all
       select $1, c.mode, $2, false from billing_connection c
        where c.seller_id = $1 and not exists (select 1 from known)
          -- Many ids that were unknown then have been indexed since.
          and (select count(*) from buyer_return b where seller_id = $1 and not is_known
                 and not exists (select 1 from indexed_subscription s where s.seller_id = $1
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
    rows.map(({ mode }) => enqueueRefresh(pool, { seller_id, mode }, "subscriptions", [id])),
  );
}

interface Return {
  token: string;
  subscription_id: unknown;
  address: string | null;
}

/** Limits the requests of a network to all return pages, per minute. */
const mayAsk = minuteLimiter(600);
/**
 * Limits the requests of a network to one return page, per minute: each buyer's page reads six times
 * in its first minute, and many buyers share a network.
 */
const mayFromNetwork = minuteLimiter(120);
const mayAtToken = minuteLimiter(1_200);

/**
 * The return page's content; also stores the return. Above a limit of requests it shows no names
 * and skips the database.
 * @returns null for an unknown token
 */
export async function answerReturnPage(
  pool: pg.Pool,
  isDateFromPayment: IsDateFromPayment,
  { token, subscription_id, address }: Return,
  now = new Date(),
): Promise<{ name: string | null; paid: boolean } | null> {
  const network = networkOf(address);
  const may =
    mayAsk(network, now) &&
    mayFromNetwork(`${token} ${network}`, now) &&
    mayAtToken(token, now);
  if (!may) return { name: null, paid: false };
  const found = await findReturnPage(pool, token);
  if (!found) return null;
  const { seller_id, name } = found;
  await recordBuyerReturn(pool, seller_id, subscription_id, address, now);
  return { name, paid: await isPaid(pool, isDateFromPayment, seller_id, subscription_id) };
}

const MODES: Mode[] = ["live", "test"];

type IsDateFromPayment = (
  db: Database,
  of: { owner: KeyOwner; time_zone: string },
  record: Subscription,
) => Promise<boolean>;

/**
 * Whether a payment led to the record's billing date, or a delivery reports one.
 * @param isDateFromPayment of `lib/subscriptions/date-source.ts`
 */
export async function isPaid(
  db: Database,
  isDateFromPayment: IsDateFromPayment,
  seller_id: string,
  subscription_id: unknown,
): Promise<boolean> {
  const id = idOf(subscription_id);
  if (id === null) return false;
  const { rows } = await db.query<{ mode: Mode; record: Subscription; time_zone: string }>(
    `select s.mode, s.record, seller.time_zone
       from indexed_subscription s join seller on seller.id = s.seller_id
      where s.seller_id = $1 and s.id = $2`,
    [seller_id, id],
  );
  const paid = await Promise.all(
    MODES.map(async (mode) => {
      const owner = { seller_id, mode };
      const indexed = rows.find((row) => row.mode === mode);
      if (indexed && isPaidStatus(indexed.record.status)) {
        const { time_zone, record } = indexed;
        return isDateFromPayment(db, { owner, time_zone }, record);
      }
      const { payments } = await readSubscriptionPayments(db, owner, id);
      return currentPayment(payments, indexed?.record ?? UNKNOWN) !== undefined;
    }),
  );
  return paid.includes(true);
}

const UNKNOWN = { status: "", current_period_start: null, current_period_end: null };

/** The subscription id that the checkout added to the URL; null if invalid. */
function idOf(subscription_id: unknown): string | null {
  const id = typeof subscription_id === "string" ? subscription_id.toLowerCase() : "";
  return UUID.test(id) ? id : null;
}

const DAYS_KEPT = 30;

/** Deletes old returns of all sellers; the sync worker calls it. */
export async function forgetReturns(db: Database = database()): Promise<void> {
  await db.query(
    `delete from buyer_return where (seller_id, mode, subscription_id) in (
       select seller_id, mode, subscription_id from buyer_return
        where last_at < now() - interval '${DAYS_KEPT} days' order by last_at limit 200)`,
  );
}

const MINUTE = 60_000;
/** Maximum names counted in a minute, against floods of invented names. */
const MOST_NAMES = 20_000;

/**
 * Limits requests per name and minute within this process, for open routes, before the database is used.
 * throttle.ts counts across processes.
 * @returns whether the request is within the limit
 */
export function minuteLimiter(most: number) {
  const counts = new Map<string, number>();
  let minute = 0;
  return (name: string, now: Date): boolean => {
    const current = Math.floor(now.getTime() / MINUTE);
    if (current !== minute) counts.clear();
    minute = current;
    const count = (counts.get(name) ?? 0) + 1;
    if (count > most || (count === 1 && counts.size >= MOST_NAMES)) return false;
    counts.set(name, count);
    return true;
  };
}
