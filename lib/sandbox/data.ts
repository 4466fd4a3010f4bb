import "server-only";
import { fieldFailure } from "#lib/auth/field-failure.ts";
import { can } from "#lib/auth/permissions.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { orUnsupported } from "#lib/billing/unsupported.ts";
import { AppError } from "#lib/failure.ts";
import { listEndpoints } from "#lib/billing/webhook-endpoints.ts";
import { message } from "#lib/i18n/message.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import { readBuyerNames } from "./buyer-names.ts";
import type { Forecast, Receiver, Sandbox, Scenarios, States, StepPage } from "./queries.ts";
import { summarizeChanges, STEPS_ON_PAGE } from "./rules.ts";
import type { ClockTarget } from "./search.ts";

/** The service's clock; only Duebook's own service has one, in test mode. */
export async function getSandbox(scope: Scope): Promise<Sandbox> {
  const signedIn = await requireSeller(scope, "sandbox:read");
  if (scope.mode === "live") return { clock: null };
  const clock = await orUnsupported(
    signedIn.billing,
    () => signedIn.billing.sandbox.readClock(),
    "sandbox",
  );
  return { clock: clock && !Number.isNaN(Date.parse(clock.now)) ? clock : null };
}

export async function listScenarios(scope: Scope): Promise<{ scenarios: Scenarios }> {
  const signedIn = await requireSeller(scope, "sandbox:read");
  if (scope.mode === "live") return { scenarios: null };
  const list = await orUnsupported(signedIn.billing, () =>
    signedIn.billing.sandbox.listScenarios(),
  );
  return { scenarios: list && list.results };
}

/** The changes that a move to the target would cause. @throws AppError `validation` for no target */
export async function getForecast(scope: Scope, target: ClockTarget | null): Promise<Forecast> {
  const signedIn = await requireSeller(scope, "sandbox:read");
  const { billing } = signedIn;
  if (scope.mode === "live") throw new AppError({ kind: "not_found" });
  const asked = target && targetOf(target, signedIn.seller.time_zone);
  if (!asked) throw fieldFailure("at", message("sandbox.chooseMoment"));
  const first = { page: 1, page_size: STEPS_ON_PAGE };
  const span = await billing.sandbox.readForecast(asked, first);
  if (Number.isNaN(Date.parse(span.to))) throw new AppError({ kind: "unexpected" });
  const passage = summarizeChanges(span);
  const [buyers, receivers] = await Promise.all([
    readBuyerNames(billing, passage.steps),
    readReceivers(signedIn),
  ]);
  return { ...passage, buyers, receivers };
}

/** A further page of the forecast. */
export async function getStepPage(
  scope: Scope,
  target: ClockTarget | null,
  page: number,
): Promise<StepPage> {
  const signedIn = await requireSeller(scope, "sandbox:read");
  const asked = target && targetOf(target, signedIn.seller.time_zone);
  if (scope.mode === "live") throw new AppError({ kind: "not_found" });
  if (!asked) throw fieldFailure("at", message("sandbox.chooseMoment"));
  const which = { page, page_size: STEPS_ON_PAGE };
  const { steps } = await signedIn.billing.sandbox.readForecast(asked, which);
  return { steps, buyers: await readBuyerNames(signedIn.billing, steps) };
}

export async function listStates(scope: Scope): Promise<{ states: States }> {
  const { billing } = await requireSeller(scope, "sandbox:read");
  if (scope.mode === "live") return { states: null };
  return { states: await orUnsupported(billing, () => billing.sandbox.listStates()) };
}

function targetOf(target: ClockTarget, timeZone: string) {
  if (!("at" in target)) return target;
  const to = zonedMoment(target.at, timeZone);
  return to === null ? null : { to };
}

/** Null if the role may not read endpoints, or if not all of them can be read. */
async function readReceivers({ billing, role }: SignedIn): Promise<Forecast["receivers"]> {
  if (!can(role, "webhooks:read")) return null;
  const list = await listEndpoints(billing).catch(() => null);
  if (!list?.is_complete || list.absence !== null) return null;
  const receivers: Record<string, Receiver[]> = {};
  for (const { id, event, endpoint_url, is_active } of list.webhooks)
    if (is_active) (receivers[event] ??= []).push({ id, endpoint_url });
  return receivers;
}
