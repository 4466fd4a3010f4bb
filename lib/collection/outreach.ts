import type { QueueEntry } from "./queries.ts";

/** What became of a buyer whose message was prepared, in the order in which a summary tells it. */
export const OUTREACH_OUTCOMES = [
  "written",
  "noted",
  "reached",
  "settled",
  "unreachable",
  "skipped",
] as const;
export type OutreachOutcome = (typeof OUTREACH_OUTCOMES)[number];

/** One of those that were chosen. */
export interface Recipient {
  id: string;
  name: string;
  /** The last contact as it was when they were chosen: another one is a colleague's, or one's own. */
  seen: string | null;
}

export interface OutreachRecipient extends Recipient {
  /** Null while it is to be done. */
  outcome: OutreachOutcome | null;
}

/** Messages to several buyers, one after the other. */
export interface Outreach {
  buyers: OutreachRecipient[];
  /** Which of them is next; what lies before it may be open as well. */
  at: number;
  isPaused: boolean;
}

/** More at once are more than anybody writes. */
export const MAX_RECIPIENTS = 200;

/** @param buyers in the order in which they are written to */
export const startOutreach = (buyers: readonly Recipient[]): Outreach => ({
  buyers: buyers.slice(0, MAX_RECIPIENTS).map((buyer) => ({ ...buyer, outcome: null })),
  at: 0,
  isPaused: false,
});

/** Who is next; null at the end. */
export function nextOf({ buyers, at }: Outreach): OutreachRecipient | null {
  const isOpen = ({ outcome }: OutreachRecipient) => outcome === null;
  return buyers.slice(at).find(isOpen) ?? buyers.find(isOpen) ?? null;
}

const withOutcome = ({ buyers }: Outreach, id: string, outcome: OutreachOutcome | null) =>
  buyers.map((one) => (one.id === id ? { ...one, outcome } : one));

/** Says what became of one; where it was the next, the one after it that is to be done follows. */
export function finishRecipient(run: Outreach, id: string, outcome: OutreachOutcome): Outreach {
  const at = run.buyers.findIndex((one) => one.id === id);
  if (at === -1) return run;
  const buyers = withOutcome(run, id, outcome);
  if (nextOf(run)?.id !== id) {
    // An answer that comes late: somebody is at another one by now. Written to remains written to.
    return run.buyers[at]?.outcome === "written" ? run : { ...run, buyers };
  }
  const next = nextOf({ ...run, buyers, at });
  return { ...run, buyers, at: next ? buyers.indexOf(next) : buyers.length };
}

/** What was said of one is taken back, and it is the next. */
export function reopenRecipient(run: Outreach, id: string): Outreach {
  const at = run.buyers.findIndex((one) => one.id === id);
  return at === -1 ? run : { ...putBack(run, id), at, isPaused: false };
}

/** What was said of one is taken back, and it waits for its turn. */
export const putBack = (run: Outreach, id: string): Outreach => ({
  ...run,
  buyers: withOutcome(run, id, null),
});

/** More are to be written to, behind those that wait; who was done with is so once more. */
export function addRecipients(run: Outreach, chosen: readonly Recipient[]): Outreach {
  const next = nextOf(run);
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
  /** Whether any app or a link brings a message to them. */
  isReachable: boolean;
}

/** What it means to go on from a buyer without writing: why nobody needs to, or that nobody wanted to. */
export function outcomeOf(
  { status, contacted }: Pick<QueueEntry, "status" | "contacted">,
  { person, seen, isReachable }: Who,
): Exclude<OutreachOutcome, "noted"> {
  const { last } = contacted;
  const isNew = last !== null && Number(last.id) > Number(seen ?? 0);
  if (isNew) return last.person.id === person ? "written" : "reached";
  if (status.group === null) return "settled";
  return isReachable ? "skipped" : "unreachable";
}

/** What a tab kept of it; null for what is none, as of another version of this page. */
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
  const { id, name, seen, outcome } = value as Partial<
    Record<keyof OutreachRecipient, unknown>
  >;
  return (
    typeof id === "string" &&
    typeof name === "string" &&
    (seen === null || typeof seen === "string") &&
    (outcome === null || OUTREACH_OUTCOMES.some((one) => one === outcome))
  );
}
