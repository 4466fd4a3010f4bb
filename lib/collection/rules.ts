import type { Subscription } from "#contract/subscriptions.ts";
import type { Debt } from "#lib/money/debt.ts";
import { addDays, daysBetween } from "#lib/format/calendar.ts";
import { calendarDay, dayInZone } from "#lib/format/format.ts";
import { internationalDigits } from "#contract/phone-number.ts";
import type { DaysAheadChoice, QueueGroup, Cursor } from "./search.ts";

/** Channels by which a buyer was contacted, as far as Duebook knows. */
export const CHANNELS = ["whatsapp", "viber", "sms", "mail", "link", "qr", "call"] as const;
export type Channel = (typeof CHANNELS)[number];

/** Channels that open a message. */
const MESSAGE_CHANNELS = ["whatsapp", "viber", "sms", "mail"] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];

/** Channels that reach this buyer; a phone without digits or a missing email offers none. */
export function channelsReaching(
  { phone, email }: Pick<Subscription["client"], "phone" | "email">,
  time_zone: string,
): MessageChannel[] {
  const hasPhone = /\p{Nd}{5}/u.test(phone.replace(/[\s().-]/g, ""));
  const isAbroad = internationalDigits(phone, time_zone) === null;
  return MESSAGE_CHANNELS.filter((channel) => {
    if (channel === "mail") return email.includes("@");
    return hasPhone && (channel !== "whatsapp" || !isAbroad);
  });
}

/** The user's last channel if the buyer has it, else the buyer's first. */
export function usualChannel(
  channels: readonly MessageChannel[],
  usual: Channel | null,
): MessageChannel | null {
  return channels.find((channel) => channel === usual) ?? channels[0] ?? null;
}

const FRESH_MS = 12 * 3_600_000;

/** Whether a buyer was contacted so recently that another message would be too much. */
export const isRecentlyContacted = (last: ContactSummary["last"], now: string): boolean =>
  last !== null && Date.parse(now) - Date.parse(last.at) < FRESH_MS;

const CONTACT_KINDS = [
  "reminder",
  "note",
  "promise",
  "snooze",
  "assign",
  "courtesy",
  "waive",
  "says_paid",
  "paid_checked",
  "leave",
] as const;
export type ContactKind = (typeof CONTACT_KINDS)[number];

/** One logged contact. Moments are ISO texts, days YYYY-MM-DD. */
export interface Contact {
  id: string;
  at: string;
  person_id: string;
  person_name: string;
  kind: ContactKind;
  channel: Channel | null;
  language: string | null;
  detail: ContactDetail;
  undone_at: string | null;
}

export interface ContactDetail {
  text?: string;
  promised_for?: string | null;
  snoozed_until?: string | null;
  assigned_to?: string | null;
  assigned_name?: string | null;
  before?: string | null;
  after?: string | null;
  reason?: string;
  /** What became of the debt when the date was moved; the amount is what was owed or waived. */
  owed?: "kept" | "forgiven";
  amount?: string;
  currency?: string;
  /** How and when a buyer says they paid. */
  method?: string;
  reference?: string;
  received_on?: string;
  /** The id of the note that was checked, and whether the money came. */
  of?: string;
  found?: boolean;
}

interface Person {
  id: string;
  name: string;
}

/**
 * Summary of a subscription's contacts. Promise, snooze and reminders are about its current billing
 * date.
 */
export interface ContactSummary {
  promised_for: string | null;
  snoozed_until: string | null;
  reminders: number;
  last: { id: string; at: string; person: Person; channel: Channel | null } | null;
  /** The language that was chosen for the buyer, else that of the last message. */
  language: string | null;
  is_chosen: boolean;
  assigned: Person | null;
  note: { text: string; at: string; name: string } | null;
  /** The debt that was kept when the date was moved. */
  debt: Debt | null;
}

export const NEVER_CONTACTED: ContactSummary = {
  promised_for: null,
  snoozed_until: null,
  reminders: 0,
  last: null,
  language: null,
  is_chosen: false,
  assigned: null,
  note: null,
  debt: null,
};

/** Days from the billing date until an unpaid subscription ends. */
export interface Grace {
  /** Days set by the seller; null if unset. */
  set: number | null;
  /** Days estimated from ended subscriptions; null if they are too few or differ too much. */
  guess: number | null;
  /**
   * Whether the days are a setting of the seller's account at the service, so they are not set
   * here.
   */
  is_in_account: boolean;
}

export const graceDaysOf = ({ set, guess }: Pick<Grace, "set" | "guess">): number | null =>
  set ?? guess;

export const MAX_NOTE_LENGTH = 500;
/** Maximum days ahead of a promise or snooze. */
export const MAX_DAYS_AHEAD = 180;

/** A note, trimmed and with normalised line ends; null if empty or too long. */
export function readNote(text: string): string | null {
  const note = text.replace(/\r\n?/g, "\n").replaceAll("\0", "").trim().toWellFormed();
  return note !== "" && Array.from(note).length <= MAX_NOTE_LENGTH ? note : null;
}

/** A due subscription with at most this many days left is in its last days of grace. */
export const LAST_GRACE_DAYS = 2;
/** Days after which a waiting checkout ranks last, because the buyer may have given up. */
export const STALE_CHECKOUT_DAYS = 30;

/** Whether to act now, else why not. */
export type EntryState = "now" | "promised" | "handled" | "snoozed";

export interface CollectionStatus {
  /**
   * The group in the queue; null if nothing is to be collected. `is_failed` can apply to any group.
   */
  group: Exclude<QueueGroup, "failed"> | null;
  turn: EntryState;
  is_failed: boolean;
  /** Whether the promised day has passed without a payment. */
  is_broken: boolean;
  /** Whether the buyer promised to pay today. */
  is_for_today: boolean;
  /**
   * Days until the subscription ends unpaid, 0 on the last day; null if the grace period is
   * unknown.
   */
  left: number | null;
  /** Days since the billing date that is due, or of the kept debt; null if nothing is overdue. */
  overdue: number | null;
  /** Days until the billing date of an active subscription without a debt; else null. */
  until: number | null;
  /** Days since the checkout was created; null if not waiting. */
  waiting: number | null;
}

export interface CollectionClock {
  time_zone: string;
  /** The current time, ISO. */
  now: string;
  grace: number | null;
  ahead: DaysAheadChoice;
}

type Collectable = Pick<Subscription, "status" | "next_billing_cycle" | "created_at">;

/**
 * Why a subscription is in the queue, and how urgently. The queue's SQL implements the same rules.
 */
export function collectionStatusOf(
  { status, next_billing_cycle, created_at }: Collectable,
  contacted: Pick<ContactSummary, "promised_for" | "snoozed_until" | "last" | "debt">,
  failed_at: string | null,
  { time_zone, now, grace, ahead }: CollectionClock,
): CollectionStatus {
  const today = dayInZone(now, time_zone);
  const dayOf = (moment: string | null) => moment && calendarDay(moment, time_zone);
  const { promised_for, snoozed_until, debt } = contacted;
  const next = dayOf(next_billing_cycle);
  const isDue = status === "due";
  // A kept debt is overdue since its original date.
  const since = isDue ? next : (debt?.since ?? null);
  const overdue = isDue || debt ? Math.max(0, since ? daysBetween(since, today) : 0) : null;
  const left =
    isDue && next && grace !== null
      ? Math.max(0, daysBetween(today, addDays(next, grace)))
      : null;
  const until =
    overdue === null && status === "active" && next
      ? Math.max(0, daysBetween(today, next))
      : null;
  const made = dayOf(created_at);
  const waiting =
    overdue === null && status === "pending_checkout"
      ? Math.max(0, made ? daysBetween(made, today) : 0)
      : null;
  const reached = contacted.last && dayOf(contacted.last.at);
  const isHandled = reached !== null && reached >= today;
  const turn =
    snoozed_until !== null && snoozed_until > today
      ? "snoozed"
      : promised_for !== null && promised_for >= today
        ? "promised"
        : isHandled
          ? "handled"
          : "now";
  return {
    group: groupOf({ overdue, left, until, waiting, ahead }),
    turn,
    is_failed: failed_at !== null,
    is_broken: promised_for !== null && promised_for < today,
    is_for_today: turn === "promised" && promised_for === today,
    left,
    overdue,
    until,
    waiting,
  };
}

interface Days extends Pick<CollectionStatus, "overdue" | "left" | "until" | "waiting"> {
  ahead: number;
}

function groupOf({ overdue, left, until, waiting, ahead }: Days): CollectionStatus["group"] {
  if (overdue !== null) return left !== null && left <= LAST_GRACE_DAYS ? "grace" : "due";
  if (until !== null) return until <= ahead ? "soon" : null;
  return waiting === null ? null : "waiting";
}

const BANDS = ["grace", "broken", "failed", "due", "waiting", "soon", "stale"] as const;
const SET_ASIDE = ["promised", "handled", "snoozed"] as const;

/** The priority in the queue: 0 is the most urgent; promised, handled and snoozed buyers come last. */
export function priorityOf({
  group,
  turn,
  is_failed,
  is_broken,
  waiting,
}: CollectionStatus): number {
  if (turn !== "now") return BANDS.length + SET_ASIDE.indexOf(turn);
  if (group === "grace") return BANDS.indexOf("grace");
  if (is_broken) return BANDS.indexOf("broken");
  if (is_failed) return BANDS.indexOf("failed");
  if (group === null || (waiting ?? 0) > STALE_CHECKOUT_DAYS) return BANDS.indexOf("stale");
  return BANDS.indexOf(group);
}

/** The sort key within a priority; the fewest days come first. */
export function daysWithinPriority(
  status: CollectionStatus,
  { promised_for, snoozed_until }: Pick<ContactSummary, "promised_for" | "snoozed_until">,
  today: string,
): number {
  const { turn, left, overdue, until, waiting } = status;
  if (turn === "snoozed" && snoozed_until) return daysBetween(today, snoozed_until);
  if (turn === "promised" && promised_for) return daysBetween(today, promised_for);
  if (overdue !== null) return left ?? 0 - overdue;
  return until ?? waiting ?? 0;
}

interface RankedEntry {
  place: Cursor;
}

/** The order of the queue: priority, then days, then the larger amount. */
export function byPriority({ place: one }: RankedEntry, { place: other }: RankedEntry): number {
  return (
    one.band - other.band ||
    one.days - other.days ||
    Number(other.amount) - Number(one.amount) ||
    (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)
  );
}
