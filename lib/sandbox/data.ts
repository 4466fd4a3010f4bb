import "server-only";
import { MAX_PAGE_SIZE } from "#contract/pagination.ts";
import type { TimeSpan } from "#contract/sandbox.ts";
import { fieldFailure } from "#lib/auth/field-failure.ts";
import { can } from "#lib/auth/permissions.ts";
import { requireSeller, type SignedIn } from "#lib/auth/require-seller.ts";
import type { Scope } from "#lib/auth/scope.ts";
import { orAbsent } from "#lib/billing/absence.ts";
import { BillingError } from "#lib/billing/errors.ts";
import { walkPages } from "#lib/billing/walk-pages.ts";
import { message } from "#lib/i18n/message.ts";
import { zonedMoment } from "#lib/zoned-moment.ts";
import type { Forecast, Sandbox, Scenarios } from "./queries.ts";
import { passageOf } from "./rules.ts";
import type { ClockTarget } from "./search.ts";

/** The service's clock, or that it has none: only the embedded service has, in test mode. */
export async function getSandbox(scope: Scope): Promise<Sandbox> {
  const signedIn = await requireSeller(scope, "sandbox:read");
  if (scope.mode === "live") return { clock: null };
  const clock = await orAbsent(signedIn.billing, () => signedIn.billing.sandbox.readClock());
  return { clock: clock && !Number.isNaN(Date.parse(clock.now)) ? clock : null };
}

export async function listScenarios(scope: Scope): Promise<{ scenarios: Scenarios }> {
  const signedIn = await requireSeller(scope, "sandbox:read");
  if (scope.mode === "live") return { scenarios: null };
  const list = await orAbsent(signedIn.billing, () => signedIn.billing.sandbox.listScenarios());
  return { scenarios: list && list.results };
}

/** What a move of the clock to there would cause. @throws BillingError `validation` for no target */
export async function getForecast(scope: Scope, target: ClockTarget | null): Promise<Forecast> {
  const signedIn = await requireSeller(scope, "sandbox:read");
  const { billing } = signedIn;
  if (scope.mode === "live") throw new BillingError({ kind: "not_found" });
  const asked = target && targetOf(target, signedIn.seller.time_zone);
  if (!asked) throw fieldFailure("at", message("sandbox.chooseMoment"));
  const span = await billing.sandbox.readForecast(asked);
  if (Number.isNaN(Date.parse(span.to))) throw new BillingError({ kind: "unexpected" });
  const passage = passageOf(span);
  const [buyers, receivers] = await Promise.all([
    readBuyers(signedIn, passage.steps),
    readReceivers(signedIn),
  ]);
  return { ...passage, buyers, receivers };
}

function targetOf(target: ClockTarget, timeZone: string) {
  if (!("at" in target)) return target;
  const to = zonedMoment(target.at, timeZone);
  return to === null ? null : { to };
}

// As many as are shown at first, and some more.
const MOST_LOOKED_UP = 20;

/** Names for the steps, which bear ids alone: out of the newest subscriptions, then one by one. */
async function readBuyers(
  { billing }: SignedIn,
  steps: TimeSpan["steps"],
): Promise<Forecast["buyers"]> {
  const page = await billing
    .listSubscriptions({ status: null, page: 1, page_size: MAX_PAGE_SIZE })
    .catch(() => null);
  const wanted = new Set(steps.map(({ subscription_id }) => subscription_id));
  const rows = page?.results.filter((row) => wanted.delete(row.subscription_id)) ?? [];
  const others = await Promise.all(
    [...wanted]
      .slice(0, MOST_LOOKED_UP)
      .map((id) => billing.getSubscription(id).catch(() => null)),
  );
  return Object.fromEntries(
    [...rows, ...others.filter((row) => row !== null)].map(({ subscription_id, client }) => [
      subscription_id,
      client.full_name,
    ]),
  );
}

const MOST_PAGES = 3;

/** Null for whoever may not see the registrations, and where they cannot all be read. */
async function readReceivers({ billing, role }: SignedIn): Promise<Forecast["receivers"]> {
  if (!can(role, "webhooks:read")) return null;
  const walk = await walkPages((page) => billing.listWebhooks(page), {
    most: MOST_PAGES,
  }).catch(() => null);
  if (walk === null || walk.next_page !== null) return null;
  const receivers: Record<string, number> = {};
  // By id: one that was added meanwhile moves others onto the next page.
  for (const { event, is_active } of new Map(walk.rows.map((row) => [row.id, row])).values())
    if (is_active) receivers[event] = (receivers[event] ?? 0) + 1;
  return receivers;
}
