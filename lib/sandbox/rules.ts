import type { SimulatedPayment, Step, TimeSpan } from "#contract/sandbox.ts";
import type { ReceivedStatus } from "#contract/subscriptions.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { Forecast, ChangeSummary } from "./queries.ts";

/** Steps per page of a forecast; a completed move shows only one page. */
export const STEPS_ON_PAGE = 100;

/** Summarizes a time span: totals and first steps. */
export function summarizeChanges({
  to,
  count,
  steps,
  reasons,
  events,
}: TimeSpan): ChangeSummary {
  return {
    to,
    count: Math.max(count ?? 0, steps.length),
    steps: steps.slice(0, STEPS_ON_PAGE),
    // A service without totals sends all steps.
    reasons:
      reasons.length > 0
        ? reasons.map((one) => [one.reason, one.count])
        : tally(steps.map(({ reason }) => reason)),
    events:
      events.length > 0
        ? events.map((one) => [one.event, one.count])
        : tally(steps.flatMap((step) => step.events)),
  };
}

function tally(names: string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
}

/** Counts changes by reason, such as "2 become due"; an unknown reason is shown by its own name. */
export function describeReasons(
  t: Translate<"sandbox">,
  reasons: ChangeSummary["reasons"],
): string[] {
  return reasons.map(([reason, count]) => {
    const key = `passage.counts.${reason as "abandoned"}` as const;
    return t.has(key) ? t(key, { count }) : t("passage.otherCount", { count, reason });
  });
}

export function reasonWords(t: Translate<"sandbox">, reason: string): string {
  const key = `passage.reasons.${reason as "abandoned"}` as const;
  if (t.has(key)) return t(key);
  return reason.replaceAll("_", " ") || t("passage.change");
}

/** A status as used within a sentence. */
export function describeStatus(t: Translate<"sandbox">, status: ReceivedStatus): string {
  const key = `statuses.${status as "active"}` as const;
  if (t.has(key)) return t(key);
  return status.replaceAll("_", " ") || t("statuses.unknown");
}

/** Describes a status change, such as "active → due"; only the status if it does not change. */
export function describeChange(
  t: Translate<"sandbox">,
  { old_status, new_status }: Pick<Step, "old_status" | "new_status">,
): string {
  const to = describeStatus(t, new_status);
  return old_status === new_status
    ? t("passage.stays", { status: to })
    : t("passage.goes", { from: describeStatus(t, old_status), to });
}

/** The number of deliveries of the events; null if the endpoints are unknown. */
export function countDeliveries({
  events,
  receivers,
}: Pick<Forecast, "events" | "receivers">): number | null {
  if (receivers === null) return null;
  return events.reduce(
    (sum, [event, count]) => sum + count * (receivers[event]?.length ?? 0),
    0,
  );
}

export const countEvents = ({ events }: Pick<ChangeSummary, "events">): number =>
  events.reduce((sum, [, count]) => sum + count, 0);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How far the clock is ahead of real time, as days, hours or minutes; null if it is not. */
export function clockLead({ now, real_now }: { now: string; real_now: string }) {
  const lead = Date.parse(now) - Date.parse(real_now);
  if (!(lead >= MINUTE)) return null;
  // Rounded, because a move by a day starts some seconds after it was shown.
  const count = (unit: number) => Math.round(lead / unit);
  if (lead < HOUR) return { unit: "minutes", count: count(MINUTE) };
  return count(HOUR) < 24
    ? { unit: "hours", count: count(HOUR) }
    : { unit: "days", count: count(DAY) };
}

/**
 * The service's current time: it advances from the moment when it was read, and never goes back.
 * @param today ISO, the page's current time
 */
export function serviceTimeAt(
  { now, real_now }: { now: string; real_now: string },
  today: string,
): string {
  const ahead = Date.parse(now) - Date.parse(real_now);
  const passed = Date.parse(today) + (Number.isNaN(ahead) ? 0 : ahead);
  return new Date(Math.max(Date.parse(now), passed)).toISOString();
}

/** Describes the result of a simulated payment. */
export function describePayment(t: Translate<"sandbox">, payment: SimulatedPayment): string {
  const { result, reason, old_status, new_status } = payment;
  const to = describeStatus(t, new_status);
  const change =
    old_status === new_status
      ? t("payment.stays", { status: to })
      : t("payment.went", { from: describeStatus(t, old_status), to });
  if (result === "paid") return `${t("payment.paid")} ${change}`;
  if (result === "returned") return `${t("payment.returned")} ${change}`;
  if (result !== "failed") return t("payment.pending", { status: to });
  const key = `payment.failures.${reason as "declined"}` as const;
  const failed = t.has(key)
    ? t(key)
    : t("payment.failed", { reason: describeStatus(t, reason ?? "") });
  return `${failed} ${change}`;
}

/** Why no payment can be simulated; null if it can. */
export function paymentObstacle(
  t: Translate<"sandbox">,
  status: ReceivedStatus,
): string | null {
  if (status === "cancelled" || status === "inactive") return t("payment.ended");
  return status === "pending_cancellation" ? t("payment.ending") : null;
}

/** The title of a scenario; an unknown one is derived from its name. */
export function scenarioTitle(t: Translate<"sandbox">, name: string): string {
  const key = `scenarios.known.${name as "some_due"}.title` as const;
  if (t.has(key)) return t(key);
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param given the service's description */
export function scenarioText(t: Translate<"sandbox">, name: string, given: string): string {
  const key = `scenarios.known.${name as "some_due"}.text` as const;
  return t.has(key) ? t(key) : given;
}
