import type { PriceNotice } from "#lib/money/price.ts";
import type { Scope } from "#lib/scope.ts";
import type { QueueEntry } from "./queries.ts";

/** What happened to a recipient, in the order of the summary. */
const OUTREACH_OUTCOMES = [
  "written",
  "noted",
  "reached",
  "settled",
  "unreachable",
  "skipped",
] as const;
export type OutreachOutcome = (typeof OUTREACH_OUTCOMES)[number];

export interface Recipient {
  id: string;
  name: string;
  /** The last contact when the recipient was selected; any other last contact is newer. */
  seen: string | null;
  /** The notice that is sent instead of a reminder. */
  notice?: PriceNotice;
}

interface OutreachRecipient extends Recipient {
  /** What happened to the recipient; null while pending. */
  outcome: OutreachOutcome | null;
}

/** Messages to several buyers, one after the other. */
export interface Outreach {
  buyers: OutreachRecipient[];
  /** Index of the next recipient; earlier ones can be pending too. */
  at: number;
  isPaused: boolean;
}

export const MAX_RECIPIENTS = 200;

/** @param buyers in the order of writing */
export const startOutreach = (buyers: readonly Recipient[]): Outreach => ({
  buyers: buyers.slice(0, MAX_RECIPIENTS).map((buyer) => ({ ...buyer, outcome: null })),
  at: 0,
  isPaused: false,
});

/** The place where a tab stores the outreach. */
export const outreachDraft = ({ person, scope }: { person: string; scope: Scope }) => ({
  person,
  form: `collection.preparing.${scope.seller}.${scope.mode}`,
});

/** Starts an outreach, or adds recipients to an unfinished one. */
export const withRecipients = (run: Outreach | null, chosen: readonly Recipient[]): Outreach =>
  run && nextRecipient(run) ? addRecipients(run, chosen) : startOutreach(chosen);

/** The next recipient; null at the end. */
export function nextRecipient({ buyers, at }: Outreach): OutreachRecipient | null {
  const isOpen = ({ outcome }: OutreachRecipient) => outcome === null;
  return buyers.slice(at).find(isOpen) ?? buyers.find(isOpen) ?? null;
}

const withOutcome = ({ buyers }: Outreach, id: string, outcome: OutreachOutcome | null) =>
  buyers.map((one) => (one.id === id ? { ...one, outcome } : one));

/** Sets a recipient's outcome and moves on if it was the next one. */
export function finishRecipient(run: Outreach, id: string, outcome: OutreachOutcome): Outreach {
  const at = run.buyers.findIndex((one) => one.id === id);
  if (at === -1) return run;
  const buyers = withOutcome(run, id, outcome);
  if (nextRecipient(run)?.id !== id) {
    // A late answer for an earlier recipient; "written" is final.
    return run.buyers[at]?.outcome === "written" ? run : { ...run, buyers };
  }
  const next = nextRecipient({ ...run, buyers, at });
  return { ...run, buyers, at: next ? buyers.indexOf(next) : buyers.length };
}

/** Clears a recipient's outcome and makes that recipient the next. */
export function reopenRecipient(run: Outreach, id: string): Outreach {
  const at = run.buyers.findIndex((one) => one.id === id);
  return at === -1 ? run : { ...clearRecipientOutcome(run, id), at, isPaused: false };
}

/** Clears a recipient's outcome without changing which recipient is next. */
export const clearRecipientOutcome = (run: Outreach, id: string): Outreach => ({
  ...run,
  buyers: withOutcome(run, id, null),
});

/** Appends recipients; those already finished become pending again. */
export function addRecipients(run: Outreach, chosen: readonly Recipient[]): Outreach {
  const next = nextRecipient(run);
  const isAgain = ({ id, outcome }: OutreachRecipient) =>
    outcome !== null && chosen.some((one) => one.id === id);
  const kept = run.buyers.filter((one) => !isAgain(one));
  const added = chosen.filter(({ id }) => !kept.some((one) => one.id === id));
  const buyers = [...kept, ...startOutreach(added).buyers];
  return { buyers, at: next ? buyers.indexOf(next) : kept.length, isPaused: false };
}

export function countOutcomes({ buyers }: Pick<Outreach, "buyers">) {
  const counted = OUTREACH_OUTCOMES.map((outcome) => ({
    outcome,
    count: buyers.filter((one) => one.outcome === outcome).length,
  }));
  return {
    done: buyers.filter(({ outcome }) => outcome !== null).length,
    total: buyers.length,
    outcomes: counted.filter(({ count }) => count > 0),
  };
}

interface Who {
  person: string;
  seen: string | null;
  /** Whether the buyer has a phone number or email for any channel. */
  isReachable: boolean;
  /** Whether a buyer who owes nothing gets a message too. */
  isTold: boolean;
}

/** The outcome of a recipient when the user moves on without writing. */
export function skippedOutcomeOf(
  { status, contacted }: Pick<QueueEntry, "status" | "contacted">,
  { person, seen, isReachable, isTold }: Who,
): Exclude<OutreachOutcome, "noted"> {
  const { last } = contacted;
  const isNew = last !== null && Number(last.id) > Number(seen ?? 0);
  if (isNew) return last.person.id === person ? "written" : "reached";
  if (status.group === null && !isTold) return "settled";
  return isReachable ? "skipped" : "unreachable";
}

/** Parses the outreach that a tab stored; null if unreadable, such as from another version. */
export function parseOutreach(kept: unknown): Outreach | null {
  if (typeof kept !== "object" || kept === null) return null;
  const { buyers, at, isPaused } = kept as Partial<Record<keyof Outreach, unknown>>;
  if (!Array.isArray(buyers) || buyers.length === 0 || !buyers.every(isPrepared)) return null;
  return {
    buyers,
    at: typeof at === "number" ? at : 0,
    isPaused: isPaused === true,
  };
}

function isPrepared(value: unknown): value is OutreachRecipient {
  if (typeof value !== "object" || value === null) return false;
  const { id, name, seen, outcome, notice } = value as Partial<
    Record<keyof OutreachRecipient, unknown>
  >;
  return (
    typeof id === "string" &&
    typeof name === "string" &&
    (seen === null || typeof seen === "string") &&
    (notice === undefined || isNotice(notice)) &&
    (outcome === null || OUTREACH_OUTCOMES.some((one) => one === outcome))
  );
}

function isNotice(value: unknown): value is PriceNotice {
  const { day, before, after } = (value ?? {}) as Partial<Record<keyof PriceNotice, unknown>>;
  return typeof day === "string" && [before, after].every(isAmount);
}

function isAmount(value: unknown): boolean {
  const { amount, currency } = (value ?? {}) as Record<string, unknown>;
  return typeof amount === "string" && typeof currency === "string";
}
