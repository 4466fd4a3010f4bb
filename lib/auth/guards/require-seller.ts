import "server-only";
import { headers } from "next/headers";
import type { LogFields } from "#contract/process/log.ts";
import { inSpan } from "#contract/process/tracing.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { openObservedClient } from "#lib/billing/open-client.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { AppError } from "#lib/failure.ts";
import { database } from "#lib/db/pool.ts";
import { logSecurity } from "#lib/log.ts";
import { readSessionSecret } from "#lib/auth/sessions/cookies.ts";
import { can, type Permission } from "#lib/auth/permissions.ts";
import type { Scope } from "#lib/scope.ts";
import {
  findMembership,
  findVisitor,
  type Membership,
  type Session,
  type Visitor,
} from "#lib/auth/sessions/session.ts";

export interface SignedIn extends Membership, Pick<Session, "user"> {
  session: Session;
  scope: Scope;
  /** Whose connection, in the words of the tables. */
  owner: KeyOwner;
  billing: BillingClient;
  /** When it was asked for, ISO: what a page renders must not come out different in the browser. */
  now: string;
}

/**
 * The only thing that hands a person a billing client. Session and membership are read on every request,
 * so a sign-out, a removal or a change of role counts at once. Who lacks the second factor that the seller
 * demands gets to their own account alone.
 * @throws AppError `signed_out`, `forbidden`, `second_factor`, or `not_found` for a seller of somebody else.
 */
export function requireSeller(scope: Scope | null, permission: Permission): Promise<SignedIn> {
  const attributes = { "duebook.permission": permission };
  return inSpan("require seller", attributes, () => findSeller(scope, permission));
}

async function findSeller(scope: Scope | null, permission: Permission): Promise<SignedIn> {
  const request = await thisRequest(scope?.seller);
  const session = await requireSession();
  const membership = scope && (await membershipOf(request, session, scope.seller));
  const refused = { account: session.user.id, seller: membership?.seller.id, permission };
  if (!membership) {
    if (scope) logRefusalOnce(request, { reason: "no member", ...refused });
    throw new AppError({ kind: "not_found" });
  }
  if (membership.lacks_second_factor && permission !== "account:manage") {
    logRefusalOnce(request, { reason: "second factor", ...refused });
    throw new AppError({ kind: "second_factor" });
  }
  if (!can(membership.role, permission)) {
    logRefusalOnce(request, { reason: "permission", ...refused });
    throw new AppError({ kind: "forbidden" });
  }
  const owner = { seller_id: membership.seller.id, mode: scope.mode };
  return {
    ...membership,
    session,
    scope,
    owner,
    user: session.user,
    billing: openObservedClient(owner),
    now: new Date().toISOString(),
  };
}

/** For the few things that a person does without any seller. @throws AppError `signed_out`. */
export async function requireSession(): Promise<Session> {
  const session = await currentSession();
  if (!session) throw new AppError({ kind: "signed_out" });
  return session;
}

interface Request {
  visitor: Promise<Visitor | null>;
  /** Of the seller that the visitor was asked for with. */
  code: string | null;
  /** Of the others. */
  memberships: Map<string, Promise<Membership | null>>;
  isRefusalLogged: boolean;
}

const requests = new WeakMap<object, Request>();

/** Once a request. React's cache would not do: it covers pages, but neither routes nor actions. */
async function thisRequest(code: string | null = null): Promise<Request> {
  // One headers object belongs to exactly one request.
  const key = await headers();
  const known = requests.get(key);
  if (known) return known;
  const visitor = readSessionSecret().then((secret) =>
    secret === null ? null : findVisitor(database(), secret, code),
  );
  const request = { visitor, code, memberships: new Map(), isRefusalLogged: false };
  requests.set(key, request);
  return request;
}

/** A page and what is around it are refused each for itself. */
function logRefusalOnce(request: Request, fields: LogFields) {
  if (!request.isRefusalLogged) logSecurity("access.refused", fields);
  request.isRefusalLogged = true;
}

export async function currentSession(): Promise<Session | null> {
  return (await (await thisRequest()).visitor)?.session ?? null;
}

async function membershipOf(
  { visitor, code: first, memberships }: Request,
  { user }: Session,
  code: string,
): Promise<Membership | null> {
  if (code === first) return (await visitor)?.membership ?? null;
  const known = memberships.get(code) ?? findMembership(database(), user.id, code);
  memberships.set(code, known);
  return known;
}
