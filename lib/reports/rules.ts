import { addDays, daysBetween } from "#lib/format/calendar.ts";

/** Days of the seller's zone, both in it; YYYY-MM-DD. */
export interface Period {
  from: string;
  to: string;
}

/** Days since the date that was missed. */
export const AGES = ["0-7", "8-30", "31-60", "60+"] as const;
export type Age = (typeof AGES)[number];

/** Days ahead. */
export const HORIZONS = [30, 60, 90] as const;
export type Horizon = (typeof HORIZONS)[number];

const USUAL_DAYS = 30;
/** Three years by day are as much as a graph can show. */
const MOST_DAYS = 1_096;

/** The last 30 days where nothing else is asked; the ends in either order, today at the latest. */
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

/** As many days, right before. */
export function periodBefore({ from, to }: Period): Period {
  const days = daysBetween(from, to) + 1;
  return { from: addDays(from, -days), to: addDays(from, -1) };
}

/** Those that will bill again, or would if nobody had taken it back. */
export const STANDINGS = ["active", "due", "pending_cancellation"] as const;
export type SubscriberStatus = (typeof STANDINGS)[number];

/** Prices added up of what has all of this in common; decimal texts, which may be below zero. */
export interface PricedSum {
  currency: string;
  status: SubscriberStatus;
  /** "month:3"; null where nobody can tell. */
  every: string | null;
  is_listed: boolean;
  is_unpriced: boolean;
  count: number;
  /** At the end of the period, and at its start, whether that was known or not. */
  amount: string;
  start: string;
}

interface Fraction {
  over: bigint;
  under: bigint;
}

/** How many months a period has: a year 12, a day 12 of 365.2425. */
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

/** Two places, half of the last one upwards, below zero downwards. */
function roundFraction({ over, under }: Fraction): string {
  const size = over < 0n ? -over : over;
  const cents = (size * 200n + under) / (2n * under);
  const text = String(cents).padStart(3, "0");
  return `${over < 0n && cents > 0n ? "-" : ""}${text.slice(0, -2)}.${text.slice(-2)}`;
}

/** A sum of decimal texts, to two places. */
export const sumAmounts = (amounts: string[]): string =>
  roundFraction(amounts.map(readFraction).reduce(add, { over: 0n, under: 1n }));

/** A decimal text times one part of so many, to two places. */
export function shareOf(amount: string, part: number, whole: number): string {
  const { over, under } = readFraction(amount);
  return roundFraction({ over: over * BigInt(part), under: under * BigInt(whole) });
}

/** What all of them bring in a month, rounded once. */
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

/** Of payments; decimal texts. */
interface Payments {
  payments: number;
  amount: string;
  fee: string;
  net: string;
}

/** All together, each sum rounded once. */
export const sumPayments = (all: Payments[]): Payments => ({
  payments: all.reduce((sum, { payments }) => sum + payments, 0),
  amount: sumAmounts(all.map(({ amount }) => amount)),
  fee: sumAmounts(all.map(({ fee }) => fee)),
  net: sumAmounts(all.map(({ net }) => net)),
});
