import "server-only";
import { fieldFailure } from "#lib/auth/field-failure.ts";
import { can } from "#lib/auth/permissions.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { AppError } from "#lib/failure.ts";
import { listEndpoints } from "#lib/billing/webhook-endpoints.ts";
import { message } from "#lib/i18n/message.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import type { TimeSpan } from "#contract/sandbox.ts";
import { type BillingClient, nullIfUnsupported } from "#lib/billing/client.ts";
import type { Forecast, Sandbox, Scenarios, States, StepPage } from "./queries.ts";
import { STEPS_ON_PAGE, summarizeChanges } from "./rules.ts";
import type { ClockTarget } from "./search.ts";
import { SandboxClient } from "#lib/billing/sandbox-client.ts";

/** The service's clock; only Duebook's own service has one, in test mode. */
export async function getSandbox(scope: Scope): Promise<Sandbox> {
  const signedIn = await requireSeller(scope, "sandbox:read");
  if (scope.mode === "live") return { clock: null };
  const clock = await nullIfUnsupported(
    signedIn.billing,
    () => new SandboxClient(signedIn.billing).readClock(),
    "sandbox",
  );
  return { clock: clock && !Number.isNaN(Date.parse(clock.now)) ? clock : null };
}

export async function listScenarios(scope: Scope): Promise<{ scenarios: Scenarios }> {
  const signedIn = await requireSeller(scope, "sandbox:read");
  if (scope.mode === "live") return { scenarios: null };
  const list = await nullIfUnsupported(signedIn.billing, () =>
    new SandboxClient(signedIn.billing).listScenarios(),
  );
  return { scenarios: list && list.results };
}

/**
 * The changes that a move to the target would cause.
 * @throws AppError `validation` without a target
 */
export async function getForecast(scope: Scope, target: ClockTarget | null): Promise<Forecast> {
  const signedIn = await requireSeller(scope, "sandbox:read");
  const span = await readForecastPage(signedIn, target, 1);
  if (Number.isNaN(Date.parse(span.to))) throw new AppError({ kind: "unexpected" });
  const passage = summarizeChanges(span);
  const [buyers, receivers] = await Promise.all([
    readBuyerNames(signedIn.billing, passage.steps),
    readReceivers(signedIn),
  ]);
  return { ...passage, buyers, receivers };
}

/** Reads a further page of the forecast. */
export async function getStepPage(
  scope: Scope,
  target: ClockTarget | null,
  page: number,
): Promise<StepPage> {
  const signedIn = await requireSeller(scope, "sandbox:read");
  const { steps } = await readForecastPage(signedIn, target, page);
  return { steps, buyers: await readBuyerNames(signedIn.billing, steps) };
}

export async function listStates(scope: Scope): Promise<{ states: States }> {
  const { billing } = await requireSeller(scope, "sandbox:read");
  if (scope.mode === "live") return { states: null };
  return {
    states: await nullIfUnsupported(billing, () => new SandboxClient(billing).listStates()),
  };
}

function readForecastPage(
  { billing, scope, seller }: SignedIn,
  target: ClockTarget | null,
  page: number,
) {
  if (scope.mode === "live") throw new AppError({ kind: "not_found" });
  const until = target && withMoment(target, seller.time_zone);
  if (!until) throw fieldFailure("at", message("sandbox.chooseMoment"));
  return new SandboxClient(billing).readForecast(until, { page, page_size: STEPS_ON_PAGE });
}

function withMoment(target: ClockTarget, timeZone: string) {
  if (!("at" in target)) return target;
  const to = zonedMoment(target.at, timeZone);
  return to === null ? null : { to };
}

/**
 * The active endpoints by event; null if the role may not read them, or if the list is incomplete.
 */
async function readReceivers({ billing, role }: SignedIn): Promise<Forecast["receivers"]> {
  if (!can(role, "webhooks:read")) return null;
  const list = await listEndpoints(billing).catch(() => null);
  if (!list?.is_complete || list.absence !== null) return null;
  const receivers: Record<string, string[]> = {};
  for (const { event, endpoint_url, is_active } of list.webhooks)
    if (is_active) (receivers[event] ??= []).push(endpoint_url);
  return receivers;
}

// More than the number of steps shown at first.
const MAX_LOOKUPS = 20;

/**
 * Buyer names by subscription id, as far as known: from the steps, else from the newest subscriptions,
 * else one read per subscription.
 */
export async function readBuyerNames(
  billing: Pick<BillingClient, "listSubscriptions" | "getSubscription">,
  steps: TimeSpan["steps"],
): Promise<Record<string, string>> {
  const named = steps.filter(({ full_name }) => full_name !== "");
  const told = Object.fromEntries(
    named.map(({ subscription_id, full_name }) => [subscription_id, full_name]),
  );
  const wanted = new Set(
    steps.map(({ subscription_id }) => subscription_id).filter((id) => !(id in told)),
  );
  if (wanted.size === 0) return told;
  const page = await billing
    .listSubscriptions({ status: null, page: 1, page_size: MAX_PAGE_SIZE })
    .catch(() => null);
  const rows = page?.results.filter((row) => wanted.delete(row.subscription_id)) ?? [];
  const others = await Promise.all(
    [...wanted]
      .slice(0, MAX_LOOKUPS)
      .map((id) => billing.getSubscription(id).catch(() => null)),
  );
  const found = [...rows, ...others.filter((row) => row !== null)].map(
    ({ subscription_id, client }) => [subscription_id, client.full_name] as const,
  );
  return { ...told, ...Object.fromEntries(found) };
}
