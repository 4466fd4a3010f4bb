import "server-only";
import { headers } from "next/headers";
import { BillingClient } from "#lib/billing/client.ts";
import { readApiKey } from "#lib/billing/connection.ts";
import { BillingError } from "#lib/billing/errors.ts";
import { database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { readSessionSecret } from "./cookies.ts";
import { can, type Permission } from "./permissions.ts";
import { findSession, type Session } from "./session.ts";

export interface SignedIn extends Session {
  billing: BillingClient;
  /** When it was asked for, ISO: what a page renders must not come out different in the browser. */
  now: string;
}

/**
 * The only thing that hands out a billing client. The session row is read on every request, so a
 * sign-out or a change of role counts at once.
 * @throws BillingError `signed_out` or `forbidden`.
 */
export async function requireSeller(permission: Permission): Promise<SignedIn> {
  const session = await currentSession();
  if (!session) throw new BillingError({ kind: "signed_out" });
  if (!can(session.role, permission)) throw new BillingError({ kind: "forbidden" });
  const owner = { seller_id: session.seller.id, mode: "test" } as const;
  const billing = new BillingClient({
    baseUrl: env().BILLING_API_URL,
    apiKey: () => readApiKey(database(), owner, env().API_KEY_ENCRYPTION_KEY),
  });
  return { ...session, billing, now: new Date().toISOString() };
}

const found = new WeakMap<object, Promise<Session | null>>();

/** Once a request. React's cache would not do: it covers pages, but neither routes nor actions. */
export async function currentSession(): Promise<Session | null> {
  // One headers object belongs to exactly one request.
  const request = await headers();
  const known = found.get(request);
  if (known) return known;
  const session = readSessionSecret().then((secret) =>
    secret === null ? null : findSession(database(), secret),
  );
  found.set(request, session);
  return session;
}
