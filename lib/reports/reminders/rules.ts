import { addDecimals } from "#lib/format/decimal.ts";

const DAY_MS = 86_400_000;

/** Days after the last reminder within which a payment counts. */
export const PAYMENT_WINDOWS = [1, 3, 7] as const;
type PaymentWindow = (typeof PAYMENT_WINDOWS)[number];

/** A payment after a reminder or after the subscription became due; the time is ISO. */
interface PaidReminder {
  at: string;
  /** The paid amount; null if unknown. */
  amount: string | null;
  currency: string;
}

interface Case {
  subscription_id: string;
  /** ISO time of the last reminder, or when the subscription became due. */
  from: string;
  paid: PaidReminder | null;
}

/** A reminded buyer: all reminders between two payments are one case. */
export interface RemindedCase extends Case {
  channel: string | null;
  person_id: string;
  person_name: string;
  reminders: number;
}

/** A buyer who became due and was not reminded before paying. */
export type UnremindedCase = Case;

/**
 * The share of buyers who paid within a window. Counts only buyers whose window is over, because
 * the others may still pay.
 */
export interface PaidShare {
  paid: number;
  of: number;
}

export interface ReminderOutcomes {
  /** The number of distinct buyers. */
  count: number;
  /** Buyers who paid. */
  paid: number;
  within: Record<PaymentWindow, PaidShare>;
  /** Median days to the payment; null without payments. */
  median_days: number | null;
  /** The sums of all payments, including several of one buyer. */
  amounts: { currency: string; amount: string }[];
}

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** @param until ISO time until which payments are known */
export function reminderOutcomesOf(cases: readonly Case[], until: string): ReminderOutcomes {
  const buyers = [...Map.groupBy(cases, (one) => one.subscription_id).values()].map(tellingOf);
  const days = buyers.flatMap(({ from, paid }) => (paid ? [daysBetween(from, paid.at)] : []));
  const shareOf = (within: PaymentWindow): PaidShare => {
    const old = buyers.filter(({ from }) => daysBetween(from, until) >= within);
    const isIn = ({ from, paid }: Case) =>
      paid !== null && daysBetween(from, paid.at) <= within;
    return { paid: old.filter(isIn).length, of: old.length };
  };
  const amounts = new Map<string, string>();
  for (const { paid } of cases)
    if (paid && paid.amount !== null)
      amounts.set(paid.currency, addDecimals(amounts.get(paid.currency) ?? "0", paid.amount));
  return {
    count: buyers.length,
    paid: days.length,
    within: { 1: shareOf(1), 3: shareOf(3), 7: shareOf(7) },
    median_days: medianOf(days),
    amounts: [...amounts]
      .map(([currency, amount]) => ({ currency, amount }))
      .toSorted((one, other) => (one.currency < other.currency ? -1 : 1)),
  };
}

/** The case that represents a buyer: the first paid one, else the first one. */
function tellingOf(cases: readonly Case[]): Case {
  return cases.reduce((first, one) => {
    if ((first.paid === null) !== (one.paid === null)) return one.paid ? one : first;
    return one.from < first.from ? one : first;
  });
}

/** The median, rounded to a tenth; of an even number, the mean of the middle two. */
function medianOf(days: number[]): number | null {
  const sorted = days.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) return null;
  return Math.round(((lower + upper) / 2) * 10) / 10;
}

/** Results of one channel, number of reminders or member. */
export interface OutcomeGroup {
  key: string;
  /** The member's name when a reminder was logged; empty in groups of another kind. */
  name: string;
  outcomes: ReminderOutcomes;
}

/** The first count of reminders that shares its group with all larger counts. */
export const MANY_REMINDERS = 3;

/** The outcomes by group, largest group first. */
export function groupOutcomes(
  cases: readonly RemindedCase[],
  until: string,
  keyOf: (one: RemindedCase) => { key: string; name: string },
): OutcomeGroup[] {
  const groups = Map.groupBy(cases, (one) => keyOf(one).key);
  return [...groups]
    .map(([key, members]) => ({
      key,
      name: members[0] ? keyOf(members[0]).name : "",
      outcomes: reminderOutcomesOf(members, until),
    }))
    .toSorted(
      (one, other) =>
        other.outcomes.count - one.outcomes.count || (one.key < other.key ? -1 : 1),
    );
}

export const groupKeyOfChannel = ({ channel }: RemindedCase) => ({
  key: channel ?? "",
  name: "",
});
export const groupKeyOfReminderCount = ({ reminders }: RemindedCase) => ({
  key: String(Math.min(reminders, MANY_REMINDERS)),
  name: "",
});
export const groupKeyOfMember = ({ person_id, person_name }: RemindedCase) => ({
  key: person_id,
  name: person_name,
});
