import "server-only";
import { requireSeller } from "#lib/auth/require-seller.ts";
import type { Scope } from "#lib/auth/scope.ts";
import { BillingError } from "#lib/billing/errors.ts";
import { database } from "#lib/db/pool.ts";
import { calendarDay } from "#lib/format.ts";
import { readCopyState } from "#lib/mirror/copy-state.ts";
import type { Figured, FigureOf } from "./queries.ts";
import { periodBefore, periodOf } from "./rules.ts";
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
  const copy = await readCopyState(database(), owner);
  if (copy.state !== "ready") return copy;
  const today = calendarDay(now, seller.time_zone) ?? now.slice(0, 10);
  const period = periodOf(search, today);
  return {
    ...copy,
    period,
    before: periodBefore(period),
    known_since: copy.as_of,
    is_partial: true,
    figure: EMPTY[known],
  };
}

const NONE = { count: 0, before: null, rows: null };

/** Until they are counted. */
const EMPTY: FigureOf = {
  revenue: { currencies: [], active: NONE, due: NONE, ending: NONE, estimated: 0, unknown: 0 },
  subscribers: { active: NONE, due: NONE, ending: NONE, days: [] },
  movement: {
    created: NONE,
    begun: NONE,
    cancelled: NONE,
    inactive: NONE,
    resumed: NONE,
    paid_when_due: NONE,
    days: [],
  },
  checkouts: { created: NONE, finished: NONE, left: NONE, waiting: NONE },
  owed: { total: NONE, currencies: [], undated: 0, unpriced: 0 },
  expected: {
    horizons: [],
    observed: { passed: 0, in_time: 0, late: 0, unpaid: 0, share: null, needed: 10 },
    once: 0,
    unpriced: 0,
  },
  collected: { currencies: [], subscriptions: NONE, moved: 0, unpriced: 0 },
  products: { plans: [], estimated: 0, unknown: 0 },
  retention: { months: [] },
};
