import { addDecimals } from "#lib/format/decimal.ts";

const DAY_MS = 86_400_000;

/** Within how many days of the last reminder a payment is counted. */
export const WITHIN = [1, 3, 7] as const;
export type Within = (typeof WITHIN)[number];

/** What was seen to be paid, and when; the moment is ISO. */
export interface PaidReminder {
  at: string;
  /** Null where the price is not known. */
  amount: string | null;
  currency: string;
}

/** A buyer who was reminded: all that lies between two payments is one. Moments are ISO. */
export interface RemindedCase {
  subscription_id: string;
  channel: string | null;
  person_id: string;
  person_name: string;
  reminders: number;
  last_at: string;
  paid: PaidReminder | null;
}

/** A buyer who came to be due and was not reminded until they paid. */
export interface UnremindedCase {
  subscription_id: string;
  due_at: string;
  paid: PaidReminder | null;
}

/** How many paid of those who have had so many days by now: who was reminded yesterday proves nothing of a week. */
export interface Share {
  paid: number;
  of: number;
}

export interface Outcomes {
  /** Buyers, each once, however often they were due. */
  count: number;
  /** Those of them who paid at all. */
  paid: number;
  within: Record<Within, Share>;
  /** Days to the payment, of those who paid; null where nobody did. */
  median_days: number | null;
  /** Of every payment, also where a buyer made more than one. */
  amounts: { currency: string; amount: string }[];
}

interface Case {
  subscription_id: string;
  from: string;
  paid: PaidReminder | null;
}

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** @param until ISO: as far as the copy looked */
export function outcomesOf(cases: readonly Case[], until: string): Outcomes {
  const buyers = [...Map.groupBy(cases, (one) => one.subscription_id).values()].map(tellingOf);
  const days = buyers.flatMap(({ from, paid }) => (paid ? [daysBetween(from, paid.at)] : []));
  const shareOf = (within: Within): Share => {
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

/** The one case that stands for a buyer, so that all that is counted is buyers: the first that was paid. */
function tellingOf(cases: readonly Case[]): Case {
  return cases.reduce((first, one) => {
    if ((first.paid === null) !== (one.paid === null)) return one.paid ? one : first;
    return one.from < first.from ? one : first;
  });
}

/** To a tenth; the mean of the two in the middle where there are two. */
function medianOf(days: number[]): number | null {
  const sorted = days.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) return null;
  return Math.round(((lower + upper) / 2) * 10) / 10;
}

/** Of one channel, of so many reminders, or of one colleague. */
export interface Grouped {
  key: string;
  /** A colleague's name as it was then. */
  name: string;
  outcomes: Outcomes;
}

/** From so many on they are counted together. */
export const MANY = 3;

const caseOf = ({ subscription_id, last_at, paid }: RemindedCase): Case => ({
  subscription_id,
  from: last_at,
  paid,
});

export const remindedOutcomes = (cases: readonly RemindedCase[], until: string) =>
  outcomesOf(cases.map(caseOf), until);

export const unremindedOutcomes = (cases: readonly UnremindedCase[], until: string) =>
  outcomesOf(
    cases.map(({ subscription_id, due_at, paid }) => ({ subscription_id, from: due_at, paid })),
    until,
  );

/** The largest group first. @param keyOf null for what belongs to none */
export function groupOutcomes(
  cases: readonly RemindedCase[],
  until: string,
  keyOf: (one: RemindedCase) => { key: string; name: string },
): Grouped[] {
  const groups = Map.groupBy(cases, (one) => keyOf(one).key);
  return [...groups]
    .map(([key, members]) => ({
      key,
      name: members[0] ? keyOf(members[0]).name : "",
      outcomes: remindedOutcomes(members, until),
    }))
    .toSorted(
      (one, other) =>
        other.outcomes.count - one.outcomes.count || (one.key < other.key ? -1 : 1),
    );
}

export const byChannel = ({ channel }: RemindedCase) => ({ key: channel ?? "", name: "" });
export const byReminders = ({ reminders }: RemindedCase) => ({
  key: String(Math.min(reminders, MANY)),
  name: "",
});
export const byPerson = ({ person_id, person_name }: RemindedCase) => ({
  key: person_id,
  name: person_name,
});
