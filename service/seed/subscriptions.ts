import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { CatalogueProduct } from "../products/catalogue.ts";
import { addIntervals, billingMoment } from "../subscriptions/periods.ts";
import type { BillingDetails } from "../subscriptions/store.ts";
import type { Person } from "./people.ts";
import type { Random } from "./random.ts";

export interface SeedPeriod {
  pbp_id: string;
  plan_id: string;
  product_id: string;
  interval_type: string;
  interval_count: number;
}

export interface SeedSubscription {
  subscription_id: string;
  /** Index into the people. */
  person: number;
  period: SeedPeriod;
  status: SubscriptionStatus;
  billing: BillingDetails | null;
  current_period_start: Date | null;
  next_billing_cycle: Date | null;
  anchor_day: number | null;
  created_at: Date;
}

/** Of a hundred recurring subscriptions, so many stand in each status. */
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

interface Plan {
  random: Random;
  people: Person[];
  periods: SeedPeriod[];
  count: number;
  now: Date;
  today: Temporal.PlainDate;
  timeZone: string;
  graceDays: number;
}

/** `count` subscriptions, oldest first; no buyer holds two of one plan. */
export function inventSubscriptions(plan: Plan): SeedSubscription[] {
  const { random, people } = plan;
  const recurring = plan.periods.filter((period) => period.interval_type !== "one_time");
  const once = plan.periods.filter((period) => period.interval_type === "one_time");
  const taken = new Set<string>();
  const invented: SeedSubscription[] = [];
  for (let index = 0; index < plan.count; index += 1) {
    const period = random.pick(index % ONE_TIME_EVERY === 7 ? once : recurring);
    let person = random.integer(0, people.length - 1);
    while (taken.has(`${person} ${period.plan_id}`)) person = (person + 1) % people.length;
    taken.add(`${person} ${period.plan_id}`);
    invented.push(inventOne(plan, period, person, index));
  }
  return invented.sort((a, b) => a.created_at.getTime() - b.created_at.getTime());
}

function inventOne(
  plan: Plan,
  period: SeedPeriod,
  person: number,
  index: number,
): SeedSubscription {
  const { random, today, timeZone } = plan;
  const isOneTime = period.interval_type === "one_time";
  // Stepping by 37 visits every place of the wheel, so that few rows show every status too.
  const status = isOneTime
    ? "active"
    : (WHEEL[(index * 37) % WHEEL.length] as SubscriptionStatus);
  const dates = isOneTime ? NO_DATES : inventDates(plan, period, status);
  const started =
    dates.started ?? today.subtract({ days: random.integer(0, isOneTime ? 60 : 6) });
  return {
    subscription_id: random.uuid(),
    ...{ person, period, status },
    billing: plan.people[person]?.billing ?? null,
    current_period_start: dates.start ? inTheNight(plan, dates.start) : null,
    next_billing_cycle: dates.next ? billingMoment(dates.next, timeZone) : null,
    anchor_day: dates.next?.day ?? null,
    created_at: inTheNight(plan, started),
  };
}

interface Dates {
  /** The day of the first payment. */
  started: Temporal.PlainDate | null;
  start: Temporal.PlainDate | null;
  next: Temporal.PlainDate | null;
}
const NO_DATES: Dates = { started: null, start: null, next: null };

function inventDates(
  { random, today, graceDays }: Plan,
  period: SeedPeriod,
  status: SubscriptionStatus,
): Dates {
  if (status === "pending_checkout") return NO_DATES;
  const ended = status === "inactive" || status === "cancelled";
  const lengthInDays = today.until(addIntervals(today, period, today.day)).days;
  const next =
    status === "due"
      ? today.subtract({ days: random.integer(1, graceDays) })
      : ended
        ? today.subtract({ days: random.integer(graceDays + 1, 120) })
        : today.add({ days: random.integer(1, lengthInDays) });
  const before = (intervals: number) => addIntervals(next, period, next.day, -intervals);
  return {
    started: before(1 + random.integer(0, 5)),
    start: before(1),
    next: ended ? null : next,
  };
}

/** In the small hours of that day, but never ahead of now. */
function inTheNight({ random, now, timeZone }: Plan, day: Temporal.PlainDate): Date {
  const plainTime = new Temporal.PlainTime(random.integer(0, 5), random.integer(0, 59));
  const moment = day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
  return new Date(Math.min(moment, now.getTime() - random.integer(1, 3_600) * 1_000));
}

/** The catalogue's periods of active products, archived ones too: old subscriptions name them. */
export function periodsOf(products: CatalogueProduct[]): SeedPeriod[] {
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
        })),
      ),
    );
}
