import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { CatalogueProduct } from "../products/catalogue.ts";
import type { Calendar } from "./calendar.ts";
import { randomOf, uuidOf, type Random } from "./random.ts";

interface SeedPeriod {
  pbp_id: string;
  plan_id: string;
  product_id: string;
  interval_type: string;
  interval_count: number;
  currency: string;
}

export interface SeedSubscription {
  subscription_id: string;
  person: number;
  period: SeedPeriod;
  status: SubscriptionStatus;
  current_period_start: Date | null;
  next_billing_cycle: Date | null;
  anchor_day: number | null;
  created_at: Date;
  /** The paid days; null if never paid or a one-time purchase. */
  paid: PaidDays | null;
}

export interface PaidDays {
  started: number;
  /** The last paid period: its first day, and the day it ends. */
  start: number;
  end: number;
}

/** Distribution of statuses over a hundred recurring subscriptions. */
const SHARES: [SubscriptionStatus, number][] = [
  ["active", 52],
  ["pending_checkout", 12],
  ["due", 12],
  ["inactive", 10],
  ["cancelled", 8],
  ["pending_cancellation", 6],
];
const WHEEL = SHARES.flatMap(([status, share]) =>
  Array<SubscriptionStatus>(share).fill(status),
);
const ONE_TIME_EVERY = 31;
const KIND = 0x5eed_0001;

interface Choice {
  often: SeedPeriod[];
  all: SeedPeriod[];
}

export interface SeedPlan {
  /** A prefix that distinguishes this seller's rows from others'. */
  prefix: string;
  recurring: Choice;
  once: Choice;
  people: number;
  calendar: Calendar;
  now: Date;
  graceDays: number;
}

/**
 * The `index`-th subscription, independent of earlier calls. No buyer has two of one plan if
 * there are at most twice as many subscriptions as buyers.
 */
export function generateSubscription(plan: SeedPlan, index: number): SeedSubscription {
  const random = randomOf(KIND, index);
  const period = periodOf(plan, random, index);
  const isOneTime = period.interval_type === "one_time";
  // A step of 37 visits every entry, so that even few rows show every status.
  const status = isOneTime
    ? "active"
    : (WHEEL[(index * 37) % WHEEL.length] as SubscriptionStatus);
  const paid =
    isOneTime || status === "pending_checkout"
      ? null
      : inventDays(plan, random, period, status);
  const started = paid?.started ?? -random.integer(0, isOneTime ? 60 : 45);
  const next = paid && !hasEnded(status) ? paid.end : null;
  return {
    subscription_id: uuidOf(`subscription ${plan.prefix}${index}`),
    person: index % plan.people,
    period,
    status,
    current_period_start: paid && inTheNight(plan, random, paid.start),
    next_billing_cycle: next === null ? null : plan.calendar.billingMoment(next),
    anchor_day: next === null ? null : plan.calendar.dayOfMonth(next),
    created_at: inTheNight(plan, random, started),
    paid,
  };
}

function periodOf(plan: SeedPlan, random: Random, index: number): SeedPeriod {
  const isOnce = index % ONE_TIME_EVERY === 7;
  const first = pickPeriod(plan, random, isOnce);
  // If the buyer's first subscription has the same plan, another plan is taken.
  if (isOnce || index < plan.people) return first;
  const earlier = index - plan.people;
  const held = pickPeriod(plan, randomOf(KIND, earlier), earlier % ONE_TIME_EVERY === 7);
  if (held.plan_id !== first.plan_id) return first;
  return plan.recurring.all.find(({ plan_id }) => plan_id !== held.plan_id) ?? first;
}

function pickPeriod(
  { recurring, once }: SeedPlan,
  random: Random,
  isOnce: boolean,
): SeedPeriod {
  const { often, all } = isOnce && once.all.length > 0 ? once : recurring;
  return random.pick(random.chance(0.8) && often.length > 0 ? often : all);
}

const hasEnded = (status: SubscriptionStatus) =>
  status === "inactive" || status === "cancelled";

function inventDays(
  { calendar, graceDays }: SeedPlan,
  random: Random,
  period: SeedPeriod,
  status: SubscriptionStatus,
): PaidDays {
  const end =
    status === "due"
      ? -random.integer(1, Math.max(1, graceDays))
      : hasEnded(status)
        ? -random.integer(graceDays + 1, 120)
        : random.integer(1, calendar.move(0, period, 1));
  return {
    started: calendar.move(end, period, random.chance(0.5) ? -1 : -random.integer(2, 6)),
    start: calendar.move(end, period, -1),
    end,
  };
}

/** A moment early in the morning of that day, but never in the future. */
function inTheNight({ calendar, now }: SeedPlan, random: Random, day: number): Date {
  const moment = calendar.startOf(day) + random.integer(0, 5 * 3_600 + 3_599) * 1_000;
  return new Date(Math.min(moment, now.getTime() - random.integer(1, 3_600) * 1_000));
}

/** The periods of active products, including archived ones, which old subscriptions use. */
export function periodChoicesOf(often: CatalogueProduct[], rarely: CatalogueProduct[]) {
  const choice = (isOnce: boolean): Choice => {
    const wanted = (products: CatalogueProduct[]) =>
      periodsOf(products).filter((one) => (one.interval_type === "one_time") === isOnce);
    return { often: wanted(often), all: wanted([...often, ...rarely]) };
  };
  return { recurring: choice(false), once: choice(true) };
}

function periodsOf(products: CatalogueProduct[]): SeedPeriod[] {
  return products
    .filter((product) => product.is_active !== false)
    .flatMap((product) =>
      product.plans.flatMap((plan) =>
        plan.billing_periods.map((period) => ({
          pbp_id: period.pbp_id,
          plan_id: plan.plan_id as string,
          product_id: product.product_id as string,
          interval_type: period.interval_type,
          interval_count: period.interval_count,
          currency: period.currency ?? "NPR",
        })),
      ),
    );
}
