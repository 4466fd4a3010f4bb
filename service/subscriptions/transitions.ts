import type { EventKind } from "#contract/names.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";

export const TRIGGERS = [
  "payment_succeeded",
  "payment_failed",
  "cancel",
  "resume",
  "reschedule",
  "period_ended",
  "billing_date_passed",
  "grace_elapsed",
  "taken_over",
  "withdrawn",
] as const;
export type Trigger = (typeof TRIGGERS)[number];

interface ChangeTransition {
  outcome: "changed";
  to: SubscriptionStatus;
  events: readonly EventKind[];
}
/** Unchanged is a success without a change; refused is an error for the caller. */
export type Transition = ChangeTransition | { outcome: "unchanged" } | { outcome: "refused" };

const STATUS_CHANGED = ["subscription.status_changed"] as const;
const PAID = ["checkout.succeeded", "subscription.status_changed"] as const;

const to = (
  status: SubscriptionStatus,
  events: readonly EventKind[] = STATUS_CHANGED,
): ChangeTransition => ({
  outcome: "changed",
  to: status,
  events,
});
const UNCHANGED = { outcome: "unchanged" } as const;

// Spec, States and transitions; docs/spec-choices.md fills the cells that it leaves open. Only the
// account API takes over and withdraws (ADR 0230).
const TABLE: Record<SubscriptionStatus, Partial<Record<Trigger, Transition>>> = {
  pending_checkout: {
    payment_succeeded: to("active", PAID),
    payment_failed: to("pending_checkout", ["checkout.failed"]),
    taken_over: to("active"),
    withdrawn: to("cancelled"),
  },
  active: {
    payment_succeeded: to("active", PAID),
    payment_failed: to("active", ["checkout.failed"]),
    cancel: to("pending_cancellation"),
    resume: UNCHANGED,
    reschedule: to("active"),
    billing_date_passed: to("due"),
    withdrawn: to("cancelled"),
  },
  due: {
    payment_succeeded: to("active", PAID),
    payment_failed: to("due", ["checkout.failed"]),
    reschedule: to("active"),
    grace_elapsed: to("inactive"),
    withdrawn: to("cancelled"),
  },
  pending_cancellation: {
    cancel: UNCHANGED,
    resume: to("active"),
    period_ended: to("cancelled"),
    withdrawn: to("cancelled"),
  },
  cancelled: { withdrawn: UNCHANGED },
  inactive: {},
};

const REFUSED = { outcome: "refused" } as const;

const isOfOneTime = (trigger: Trigger) =>
  trigger === "payment_succeeded" || trigger === "payment_failed" || trigger === "withdrawn";

/** The transition that a trigger causes. An open one-time purchase is paid or withdrawn only. */
export function findTransition(
  status: SubscriptionStatus,
  trigger: Trigger,
  { isOneTime }: { isOneTime: boolean },
): Transition {
  if (isOneTime && !(status === "pending_checkout" && isOfOneTime(trigger))) return REFUSED;
  return TABLE[status][trigger] ?? REFUSED;
}
