import "server-only";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { failureOf } from "#lib/failure.ts";
import { PATH_HEADER, safeCallbackPath } from "#lib/auth/sign-in/callback-path.ts";
import type { Permission } from "#lib/auth/permissions.ts";
import { requireSeller, requireSession, type SignedIn } from "./require-seller.ts";
import { readScope, scopePath, type Scope } from "#lib/scope.ts";
import type { Session } from "#lib/auth/sessions/session.ts";

/** The scope as it stands in a page's or a route's address. */
export type ScopeParams = Promise<{ seller: string; mode: string }>;

/** Of the address of one record. */
export type RecordParams = Awaited<ScopeParams> & { id: string };

/**
 * The page's door: sends the signed-out to the sign-in page and brings them back afterwards, and to their
 * account who lacks the second factor that the seller demands. What is not theirs does not exist.
 */
export async function sellerPage(
  params: ScopeParams,
  permission: Permission,
): Promise<SignedIn> {
  const scope = readScope(await params);
  return requireSeller(scope, permission).catch((error: unknown) => turnAway(error, scope));
}

/** The door of the few pages that somebody without a seller sees. */
export function personPage(): Promise<Session> {
  return requireSession().catch((error: unknown) => turnAway(error, null));
}

async function turnAway(error: unknown, scope: Scope | null): Promise<never> {
  const { kind } = failureOf(error);
  if (kind === "second_factor" && scope) redirect(scopePath(scope, "/settings/account"));
  if (kind === "forbidden" || kind === "not_found") notFound();
  if (kind !== "signed_out") throw error;
  const path = safeCallbackPath((await headers()).get(PATH_HEADER));
  redirect(`/sign-in?${new URLSearchParams({ callbackUrl: path })}`);
}
