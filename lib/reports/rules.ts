import { addDays, addMonths, daysBetween } from "#lib/format/calendar.ts";

/** First and last day in the seller's time zone, YYYY-MM-DD. */
export interface Period {
  from: string;
  to: string;
}

/** Age groups of debts, in days since the missed date. */
export const DEBT_AGES = ["0-7", "8-30", "31-60", "60+"] as const;
export type DebtAge = (typeof DEBT_AGES)[number];

/** Choices for how many days ahead to forecast. */
export const HORIZONS = [30, 60, 90] as const;
export type Horizon = (typeof HORIZONS)[number];

const USUAL_DAYS = 30;
/** Three years of days are the most that a chart can show. */
const MOST_DAYS = 1_096;

/** The last 30 days by default; swaps reversed ends, and cuts to today and to MOST_DAYS. */
export function periodOf(
  asked: { from: string | null; to: string | null },
  today: string,
): Period {
  const clamp = (day: string) => (day > today ? today : day);
  const end = clamp(asked.to ?? today);
  const begin = clamp(asked.from ?? addDays(end, 1 - USUAL_DAYS));
  const [from, to] = begin > end ? [end, begin] : [begin, end];
  const earliest = addDays(to, 1 - MOST_DAYS);
  return { from: from < earliest ? earliest : from, to };
}

/** The period of equal length before. */
export function previousPeriod({ from, to }: Period): Period {
  const days = daysBetween(from, to) + 1;
  return { from: addDays(from, -days), to: addDays(from, -1) };
}

/** The statuses that count as subscribers; one who cancelled counts until the paid period ends. */
export const SUBSCRIBER_STATUSES = ["active", "due", "pending_cancellation"] as const;
export type SubscriberStatus = (typeof SUBSCRIBER_STATUSES)[number];

/**
 * A sum of prices of subscriptions that share the other fields; decimal texts, possibly negative.
 */
export interface PricedSum {
  currency: string;
  status: SubscriberStatus;
  /** The billing interval, such as "month:3"; null if unknown. */
  every: string | null;
  is_listed: boolean;
  is_unpriced: boolean;
  count: number;
  /** The sum at the end of the period, and at its start. */
  amount: string;
  start: string;
}

interface Fraction {
  over: bigint;
  under: bigint;
}

/** Months of an interval: a year is 12, a day is 12 / 365.2425. */
function monthsOf(every: string): Fraction {
  const [type, count = "1"] = every.split(":");
  const times = BigInt(count);
  if (type === "month") return { over: times, under: 1n };
  if (type === "year") return { over: 12n * times, under: 1n };
  const days = type === "week" ? 7n * times : times;
  return { over: days * 12n * 10_000n, under: 3_652_425n };
}

function readFraction(text: string): Fraction {
  const [, sign = "", whole = "", places = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return { over: BigInt(`${sign}${whole}${places}`), under: 10n ** BigInt(places.length) };
}

const add = (one: Fraction, other: Fraction): Fraction => ({
  over: one.over * other.under + other.over * one.under,
  under: one.under * other.under,
});

/** Rounds to two places, half away from zero. */
function roundFraction({ over, under }: Fraction): string {
  const size = over < 0n ? -over : over;
  const cents = (size * 200n + under) / (2n * under);
  const text = String(cents).padStart(3, "0");
  return `${over < 0n && cents > 0n ? "-" : ""}${text.slice(0, -2)}.${text.slice(-2)}`;
}

/** Sums decimal texts to two places. */
export const sumAmounts = (amounts: string[]): string =>
  roundFraction(amounts.map(readFraction).reduce(add, { over: 0n, under: 1n }));

/** amount × part / whole, to two places. */
export function proportionOf(amount: string, part: number, whole: number): string {
  const { over, under } = readFraction(amount);
  return roundFraction({ over: over * BigInt(part), under: under * BigInt(whole) });
}

/** The sums per month at the end and at the start of the period, each rounded once. */
export function sumMonthly(sums: PricedSum[]): { amount: string; start: string } {
  const monthly = (read: (sum: PricedSum) => string) =>
    roundFraction(
      sums
        .map((sum) => {
          const amount = readFraction(read(sum));
          const months = monthsOf(sum.every ?? "month:1");
          return { over: amount.over * months.under, under: amount.under * months.over };
        })
        .reduce(add, { over: 0n, under: 1n }),
    );
  return { amount: monthly(({ amount }) => amount), start: monthly(({ start }) => start) };
}

/** Sums of payments, as decimal texts. */
interface Payments {
  payments: number;
  amount: string;
  fee: string;
  net: string;
}

/** Sums everything, rounding each sum once. */
export const sumPayments = (all: Payments[]): Payments => ({
  payments: all.reduce((sum, { payments }) => sum + payments, 0),
  amount: sumAmounts(all.map(({ amount }) => amount)),
  fee: sumAmounts(all.map(({ fee }) => fee)),
  net: sumAmounts(all.map(({ net }) => net)),
});

/** Subscriptions that bill on the same days at the same price. */
export interface Billing {
  currency: string;
  /** The billing interval, such as "month:3"; null if unknown. */
  every: string | null;
  /** The next billing day in the seller's time zone, YYYY-MM-DD. */
  next_day: string;
  /** The day of the month to bill on, or the last day of shorter months. */
  anchor: number;
  count: number;
  /** The list price of one subscription as decimal text; null if not a number. */
  price: string | null;
  pbp_id: string;
}

/**
 * Billing days from the first one until `end`. A shorter month does not change the later days: 31
 * January is followed by 28 February and 31 March.
 * @param end YYYY-MM-DD, excluded
 */
export function billingDays(
  { every, next_day, anchor }: Pick<Billing, "every" | "next_day" | "anchor">,
  end: string,
): string[] {
  const days: string[] = [];
  for (let at = 0, day = next_day; day < end; day = dayAfter(next_day, anchor, every, at)) {
    days.push(day);
    at += 1;
    if (every === null || every.startsWith("one_time")) break;
  }
  return days;
}

function dayAfter(first: string, anchor: number, every: string | null, times: number): string {
  const [type, count] = (every ?? "").split(":");
  const amount = Number(count) * times;
  if (type === "day") return addDays(first, amount);
  if (type === "week") return addDays(first, 7 * amount);
  const month = addMonths(`${first.slice(0, 8)}01`, type === "year" ? 12 * amount : amount);
  return addMonths(`${FIRST_WITH_31}-${String(anchor).padStart(2, "0")}`, monthsSince(month));
}

/** Months are counted from here; it has 31 days, so it has every anchor day. */
const FIRST_WITH_31 = "2000-01";

function monthsSince(day: string): number {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return (year - 2000) * 12 + month - 1;
}

/** The anchor is the next billing day, or the period's start day if the billing month lacks it. */
export function anchorDayOf(next_day: string, start_day: string | null): number {
  const [day, start] = [next_day, start_day ?? next_day].map((text) => Number(text.slice(8)));
  const isLast = addDays(next_day, 1).slice(8) === "01";
  return isLast ? Math.max(day ?? 1, start ?? 1) : (day ?? 1);
}
