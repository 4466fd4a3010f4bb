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
import { PATH_HEADER } from "#lib/auth/sign-in/callback-path.ts";
import { readScope, type Scope } from "#lib/scope.ts";
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
  /** Seller and mode as in the tables. */
  owner: KeyOwner;
  billing: BillingClient;
  /** Time of the request (ISO), so that server and browser render the same. */
  now: string;
}

/**
 * The only way of pages, actions and routes to a billing client. Session and membership are read on
 * every request, so that a sign-out, a removal or a change of role takes effect at once. People who lack
 * a required second factor reach only their own account.
 * @throws AppError `signed_out`, `forbidden`, `second_factor`, or `not_found` for others' sellers
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
    ...callerOf(request, owner),
  };
}

/** The session, for guards of pages without a seller. @throws AppError `signed_out` */
export async function requireSession(): Promise<Session> {
  const session = await currentSession();
  if (!session) throw new AppError({ kind: "signed_out" });
  return session;
}

interface Request {
  visitor: Promise<Visitor | null>;
  /** The seller code that `visitor` was read with. */
  code: string | null;
  /** Memberships of other sellers in the same request. */
  memberships: Map<string, Promise<Membership | null>>;
  /** Data that the reads of one request share, by seller and mode. */
  callers: Map<string, Caller>;
  isRefusalLogged: boolean;
}

type Caller = Pick<SignedIn, "billing" | "now">;

const requests = new WeakMap<object, Request>();

/**
 * The state of the current request, created once. React's cache covers pages only, not routes and
 * actions.
 */
async function thisRequest(code: string | null = null): Promise<Request> {
  // Each request has its own headers object.
  const key = await headers();
  const known = requests.get(key);
  if (known) return known;
  // The root layout asks for the language first, without a code; the page then needs the membership.
  const first = code ?? sellerOfPath(key.get(PATH_HEADER));
  const visitor = readSessionSecret().then((secret) =>
    secret === null ? null : findVisitor(database(), secret, first),
  );
  const request = {
    visitor,
    code: first,
    memberships: new Map(),
    callers: new Map(),
    isRefusalLogged: false,
  };
  requests.set(key, request);
  return request;
}

function sellerOfPath(path: string | null): string | null {
  const [, seller = "", mode = ""] = path?.split(/[/?]/) ?? [];
  return readScope({ seller, mode })?.seller ?? null;
}

function callerOf({ callers }: Request, owner: KeyOwner): Caller {
  const key = `${owner.seller_id} ${owner.mode}`;
  const caller = callers.get(key) ?? {
    billing: openObservedClient(owner),
    now: new Date().toISOString(),
  };
  callers.set(key, caller);
  return caller;
}

/** Logs once, although a page and its layouts are each refused. */
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
