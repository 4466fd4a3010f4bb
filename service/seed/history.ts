import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import { findTransition, type Trigger } from "../subscriptions/transitions.ts";
import { randomOf } from "./random.ts";
import type { PaidDays, SeedPlan, SeedSubscription } from "./subscriptions.ts";

export interface SeedChange {
  subscription_id: string;
  pbp_id: string;
  is_one_time: boolean;
  trigger: Trigger;
  at: Date;
  old_status: SubscriptionStatus;
  new_status: SubscriptionStatus;
  old_start: Date | null;
  new_start: Date | null;
  old_next: Date | null;
  new_next: Date | null;
}

interface Step {
  trigger: Trigger;
  at: Date;
  start: Date | null;
  next: Date | null;
}

interface State {
  status: SubscriptionStatus;
  start: Date | null;
  next: Date | null;
}

const KIND = 0x5eed_0003;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Days of history; older subscriptions simply exist at its start. */
export const YEAR = 365;

/** The past year's changes that led to the subscription's state, in order of time. */
export function generateHistory(
  plan: SeedPlan,
  one: SeedSubscription,
  index: number,
): SeedChange[] {
  const { paid, created_at } = one;
  const since = plan.now.getTime() - YEAR * 24 * HOUR;
  if (paid) return renewals(plan, one, paid, index).filter(({ at }) => at.getTime() >= since);
  const trigger = one.status === "active" ? "payment_succeeded" : "payment_failed";
  if (trigger === "payment_failed" && index % 3 > 0) return [];
  const at = new Date(Math.min(created_at.getTime() + 4 * MINUTE, plan.now.getTime()));
  return changes(one, NEVER_PAID, [{ trigger, at, start: null, next: null }]);
}

const NEVER_PAID: State = { status: "pending_checkout", start: null, next: null };

function renewals(
  plan: SeedPlan,
  one: SeedSubscription,
  paid: PaidDays,
  index: number,
): SeedChange[] {
  const { calendar } = plan;
  const days = periodsWithin(plan, one, paid);
  const steps: Step[] = [];
  const isNew = days[0] === paid.started;
  const before = isNew ? null : calendar.move(days[0] as number, one.period, -1);
  const first: State =
    before === null
      ? NEVER_PAID
      : {
          status: "active",
          start: calendar.billingMoment(before),
          next: calendar.billingMoment(days[0] as number),
        };
  for (const [place, day] of days.entries()) {
    const start = day === paid.start ? one.current_period_start : calendar.billingMoment(day);
    const next = calendar.billingMoment(days[place + 1] ?? paid.end);
    const last = steps.at(-1) ?? first;
    if (place === 0 && isNew) {
      const paid_at = Math.max(Number(start), one.created_at.getTime() + 4 * MINUTE);
      const at = new Date(Math.max(upTo(plan, new Date(paid_at)).getTime(), +one.created_at));
      steps.push({ trigger: "payment_succeeded", at, start, next });
    } else steps.push(...renewal(plan, { day, start, next, last, index }));
  }
  return changes(one, first, [...steps, ...ending(plan, one, paid, steps, index)]);
}

function periodsWithin({ calendar }: SeedPlan, { period }: SeedSubscription, paid: PaidDays) {
  const days = [paid.start];
  for (let back = 2; ; back += 1) {
    const day = calendar.move(paid.end, period, -back);
    if (day < paid.started || day < -YEAR) return days;
    days.unshift(day);
  }
}

/** A renewal: due at noon and paid hours or days later; sometimes a payment fails first. */
function renewal(
  plan: SeedPlan,
  {
    day,
    start,
    next,
    last,
    index,
  }: { day: number; start: Date | null; next: Date; last: State | Step; index: number },
): Step[] {
  const due = plan.calendar.billingMoment(day);
  const random = randomOf(KIND, index * 1_000 + (day % 1_000));
  // A renewal whose due date is not over yet was paid early, in the night before.
  if (due.getTime() + 10 * HOUR > plan.now.getTime())
    return [{ trigger: "payment_succeeded", at: start ?? due, start, next }];
  const minutes = random.chance(0.55) ? random.integer(20, 560) : random.integer(900, 5_000);
  const at = upTo(plan, new Date(due.getTime() + minutes * MINUTE));
  const failed = new Date(at.getTime() - 7 * MINUTE);
  return [
    { trigger: "billing_date_passed", at: due, start: last.start, next: due },
    ...(random.chance(0.1)
      ? [{ trigger: "payment_failed" as const, at: failed, start: last.start, next: due }]
      : []),
    { trigger: "payment_succeeded", at, start, next },
  ];
}

function ending(
  plan: SeedPlan,
  { status, current_period_start: start }: SeedSubscription,
  { end }: PaidDays,
  steps: Step[],
  index: number,
): Step[] {
  const { calendar, graceDays, now } = plan;
  const next = calendar.billingMoment(end);
  const paidAt = Number(steps.at(-1)?.at);
  const passed = { trigger: "billing_date_passed" as const, at: next, start, next };
  const cancel = (before: Date) => {
    const share = 0.2 + 0.6 * (randomOf(KIND, index).integer(0, 100) / 100);
    const at = new Date(paidAt + share * (before.getTime() - paidAt));
    return { trigger: "cancel" as const, at, start, next };
  };
  if (status === "due") return [passed];
  if (status === "inactive")
    return [
      passed,
      {
        trigger: "grace_elapsed",
        at: calendar.billingMoment(end + graceDays),
        start,
        next: null,
      },
    ];
  if (status === "cancelled")
    return [cancel(next), { trigger: "period_ended", at: next, start, next: null }];
  if (status !== "pending_cancellation") return [];
  // Some cancellations happened together, in the afternoon two days ago.
  const together = calendar.billingMoment(-2).getTime() + 3 * HOUR + (index % 60) * 1_000;
  return paidAt < together && index % 2 === 0
    ? [{ trigger: "cancel", at: new Date(together), start, next }]
    : [cancel(now)];
}

const upTo = ({ now }: SeedPlan, at: Date) =>
  new Date(Math.min(at.getTime(), now.getTime() - MINUTE));

function changes(
  { subscription_id, period: { pbp_id, interval_type } }: SeedSubscription,
  first: State,
  steps: Step[],
): SeedChange[] {
  let state = first;
  const isOneTime = interval_type === "one_time";
  return steps.map(({ trigger, at, start, next }) => {
    const move = findTransition(state.status, trigger, { isOneTime });
    if (move.outcome !== "changed") throw new Error(`${trigger} changes nothing.`);
    const change = {
      subscription_id,
      pbp_id,
      is_one_time: isOneTime,
      trigger,
      at,
      old_status: state.status,
      new_status: move.to,
      old_start: state.start,
      new_start: start,
      old_next: state.next,
      new_next: next,
    };
    state = { status: move.to, start, next };
    return change;
  });
}
