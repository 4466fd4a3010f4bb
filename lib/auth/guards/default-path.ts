import "server-only";
import { database } from "#lib/db/pool.ts";
import { availableModes } from "#lib/env.ts";
import { currentSession } from "./require-seller.ts";
import { scopePath, type Scope } from "#lib/scope.ts";
import { listMemberships, type Session } from "#lib/auth/sessions/session.ts";

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
