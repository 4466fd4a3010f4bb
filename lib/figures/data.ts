import "server-only";
import { requireSeller } from "#lib/auth/require-seller.ts";
import type { Scope } from "#lib/auth/scope.ts";
import { BillingError } from "#lib/billing/errors.ts";
import { database } from "#lib/db/pool.ts";
import { readFigure } from "./copy/data.ts";
import type { Figured } from "./queries.ts";
import { readFigureName, type FigureName, type FiguresSearch } from "./search.ts";

/** One figure out of the copy. @throws BillingError `validation` for a name that none bears */
export async function getFigure(
  scope: Scope,
  name: string,
  search: FiguresSearch,
): Promise<Figured<FigureName>> {
  const { owner, seller, now } = await requireSeller(scope, "figures:read");
  const known = readFigureName(name);
  if (!known) throw new BillingError({ kind: "validation", fields: {}, detail: null });
  return readFigure(database(), owner, known, { search, time_zone: seller.time_zone, now });
}
