import "server-only";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { failureOf } from "#lib/failure.ts";
import { PATH_HEADER, safeCallbackPath } from "#lib/auth/sign-in/callback-path.ts";
import type { Permission } from "#lib/auth/permissions.ts";
import { requireSeller, requireSession, type SignedIn } from "./require-seller.ts";
import { readScope, scopePath, type Scope } from "#lib/scope.ts";
import type { Session } from "#lib/auth/sessions/session.ts";

/** The scope in a page's or route's URL. */
export type ScopeParams = Promise<{ seller: string; mode: string }>;

/** The parameters of a detail page's URL. */
export type RecordParams = Awaited<ScopeParams> & { id: string };

/** The query string of a page's URL. */
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
