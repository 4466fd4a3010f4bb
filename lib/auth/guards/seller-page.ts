import "server-only";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { failureOf } from "#lib/failure.ts";
import { PATH_HEADER, safeCallbackPath } from "#lib/auth/sign-in/callback-path.ts";
import type { Permission } from "#lib/auth/permissions.ts";
import { readScope, type Scope, scopePath } from "#lib/scope.ts";
import { listMemberships, type Session } from "#lib/auth/sessions/session.ts";
import { database } from "#lib/db/pool.ts";
import { availableModes } from "#lib/env.ts";
import {
  currentSession,
  requireSeller,
  requireSession,
  type SignedIn,
} from "./require-seller.ts";

/** The scope in a page's or route's URL. */
export type ScopeParams = Promise<{ seller: string; mode: string }>;

/** The parameters of a detail page's URL. */
export type RecordParams = Awaited<ScopeParams> & { id: string };

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

export interface SellerPageProps {
  params: ScopeParams;
  searchParams: SearchParams;
}

/**
 * The guard of pages: redirects to sign-in and back, or to the account page if a required second factor is
 * missing. Pages that the person may not see answer as not found.
 */
export async function sellerPage(
  params: ScopeParams,
  permission: Permission,
): Promise<SignedIn> {
  const scope = readScope(await params);
  return requireSeller(scope, permission).catch((error: unknown) =>
    redirectUnauthorized(error, scope),
  );
}

/** The guard of pages without a seller. */
export function personPage(): Promise<Session> {
  return requireSession().catch((error: unknown) => redirectUnauthorized(error, null));
}

async function redirectUnauthorized(error: unknown, scope: Scope | null): Promise<never> {
  const { kind } = failureOf(error);
  if (kind === "second_factor" && scope) redirect(scopePath(scope, "/settings/account"));
  if (kind === "forbidden" || kind === "not_found") notFound();
  if (kind !== "signed_out") throw error;
  const path = safeCallbackPath((await headers()).get(PATH_HEADER));
  redirect(`/sign-in?${new URLSearchParams({ callbackUrl: path })}`);
}

/**
 * The path for URLs without a scope: the last visited seller, else the person's first, else the page that
 * creates a business.
 * @param path within the seller
 */
export async function defaultPath(path = ""): Promise<string> {
  const session = await currentSession();
  if (!session) return "/sign-in";
  const scope = await defaultScope(session);
  return scope ? scopePath(scope, path) : "/welcome";
}

async function defaultScope({ user, last }: Session): Promise<Scope | null> {
  const sellers = (await listMemberships(database(), user.id)).map(({ seller }) => seller.code);
  const [first] = sellers;
  if (!first) return null;
  const modes = availableModes();
  return {
    seller: last && sellers.includes(last.seller) ? last.seller : first,
    mode: last && modes.includes(last.mode) ? last.mode : (modes.at(-1) ?? "test"),
  };
}
