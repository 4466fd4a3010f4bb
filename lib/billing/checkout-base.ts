import "server-only";
import { cache } from "react";
import { queryValue } from "#contract/process/database.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { checkoutUrl } from "#lib/env.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Mode } from "#lib/scope.ts";

/** Makes checkout links: the API returns a link only at creation, and the specification fixes its form. */
export async function checkoutLinks({ owner }: { owner: KeyOwner }) {
  const base = (await baseForPage(owner.seller_id, owner.mode)) ?? checkoutUrl(owner.mode);
  return (subscription_id: string) => checkoutLink(base, subscription_id);
}

const baseForPage = cache((seller_id: string, mode: Mode) =>
  readCheckoutBase(database(), { seller_id, mode }),
);

export const readCheckoutBase = (db: Database, owner: KeyOwner) =>
  queryValue<string>(
    db,
    "select checkout_base_url from billing_connection where seller_id = $1 and mode = $2",
    [owner.seller_id, owner.mode],
  );

/** Stores the base URL of checkouts, as a created link shows it. */
export async function rememberCheckoutBase(
  db: Database,
  owner: KeyOwner,
  created: { subscription_id: string; checkout_url: string },
): Promise<void> {
  const base = checkoutBaseOf(created.checkout_url, created.subscription_id);
  if (base === null) return;
  await db.query(
    `update billing_connection set checkout_base_url = $3
      where seller_id = $1 and mode = $2 and checkout_base_url is distinct from $3`,
    [owner.seller_id, owner.mode, base],
  );
}

/** The base URL of a checkout link; null for a link in another form. */
export function checkoutBaseOf(checkout_url: string, subscription_id: string): string | null {
  const tail = `/pay/${subscription_id}`;
  const url = URL.parse(checkout_url);
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  return isHttp && checkout_url.endsWith(tail) ? checkout_url.slice(0, -tail.length) : null;
}

export function checkoutLink(base: string | null, subscription_id: string): string | null {
  return base === null ? null : `${base}/pay/${subscription_id}`;
}
