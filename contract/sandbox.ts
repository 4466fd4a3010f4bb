import * as z from "zod";
import { FIELD_MESSAGES, isPlainText } from "./field-messages.ts";
import {
  EVENT_KINDS,
  CHECKOUT_METHODS,
  PAYMENT_OUTCOMES,
  SCENARIO_NAMES,
  STATE_KINDS,
  SUBSCRIPTION_STATUSES,
} from "./names.ts";
import { defineSentAndReceived, type WireTypes } from "./wire.ts";

/**
 * Pending: the provider has not answered yet. Returned: approved, but refunded because nothing
 * was owed any more.
 */
export const PAYMENT_RESULTS = ["paid", "failed", "returned", "pending"] as const;

const clock = (wire: WireTypes) => ({
  now: wire.datetime,
  real_now: wire.datetime,
  is_ahead: wire.boolean,
  time_zone: wire.text,
  next_transition_at: wire.nullable(wire.datetime),
});

const step = (wire: WireTypes) =>
  wire.object({
    at: wire.datetime,
    subscription_id: wire.id,
    full_name: wire.text,
    old_status: wire.oneOf(SUBSCRIPTION_STATUSES),
    new_status: wire.oneOf(SUBSCRIPTION_STATUSES),
    reason: wire.text,
    events: wire.list(wire.oneOf(EVENT_KINDS)),
  });

const timeSpan = (wire: WireTypes) => ({
  from: wire.datetime,
  to: wire.datetime,
  count: wire.count,
  // Counts over all steps: by reason, by event, by time.
  reasons: wire.list(wire.object({ reason: wire.text, count: wire.integer })),
  events: wire.list(wire.object({ event: wire.text, count: wire.integer })),
  moments: wire.list(wire.object({ at: wire.datetime, count: wire.integer })),
  steps: wire.list(step(wire)),
});

/** The saved state that undoes the action; null if none was saved. */
const undo = (wire: WireTypes) => ({ undo: wire.nullable(wire.number_id) });

const state = (wire: WireTypes) =>
  wire.object({
    id: wire.number_id,
    kind: wire.oneOf(STATE_KINDS),
    name: wire.text,
    clock_at: wire.datetime,
    created_at: wire.datetime,
    subscriptions: wire.integer,
    customers: wire.integer,
    bytes: wire.integer,
    is_restorable: wire.boolean,
  });

export const [Clock, ReceivedClock] = defineSentAndReceived((wire) => wire.object(clock(wire)));
export type Clock = z.output<typeof Clock>;

export const [SetClock, ReceivedSetClock] = defineSentAndReceived((wire) =>
  wire.object({ ...clock(wire), ...undo(wire) }),
);
export type SetClock = z.output<typeof SetClock>;

/** The time-based changes between two times; `steps` is one page of `count`. */
export const [TimeSpan, ReceivedTimeSpan] = defineSentAndReceived((wire) =>
  wire.object(timeSpan(wire)),
);
export type TimeSpan = z.output<typeof TimeSpan>;
export type Step = TimeSpan["steps"][number];

export const [ClockMove, ReceivedClockMove] = defineSentAndReceived((wire) =>
  wire.object({ ...timeSpan(wire), ...undo(wire) }),
);
export type ClockMove = z.output<typeof ClockMove>;

export const [ReplacedAccount, ReceivedReplacedAccount] = defineSentAndReceived((wire) =>
  wire.object({ message: wire.text, ...undo(wire) }),
);
export type ReplacedAccount = z.output<typeof ReplacedAccount>;

/** A saved state of the account; `clock_at` is the account's time when it was saved. */
export const [SavedState, ReceivedSavedState] = defineSentAndReceived(state);
export type SavedState = z.output<typeof SavedState>;

/**
 * The saved states, newest first, including automatic ones; at most `most_saved` are saved by hand.
 */
export const [StateList, ReceivedStateList] = defineSentAndReceived((wire) =>
  wire.object({ results: wire.list(state(wire)), most_saved: wire.integer }),
);
export type StateList = z.output<typeof StateList>;

/** `sent_since`: deliveries that went out after it was saved and cannot be taken back. */
export const [RestoredAccount, ReceivedRestoredAccount] = defineSentAndReceived((wire) =>
  wire.object({ message: wire.text, ...undo(wire), sent_since: wire.integer }),
);
export type RestoredAccount = z.output<typeof RestoredAccount>;

export const [ScenarioList, ReceivedScenarioList] = defineSentAndReceived((wire) =>
  wire.object({
    results: wire.list(
      wire.object({
        name: wire.id,
        description: wire.text,
        is_current: wire.boolean,
      }),
    ),
  }),
);
export type ScenarioList = z.output<typeof ScenarioList>;

export const [SimulatedPayment, ReceivedSimulatedPayment] = defineSentAndReceived((wire) =>
  wire.object({
    subscription_id: wire.id,
    result: wire.oneOf(PAYMENT_RESULTS),
    reason: wire.nullable(wire.text),
    old_status: wire.oneOf(SUBSCRIPTION_STATUSES),
    new_status: wire.oneOf(SUBSCRIPTION_STATUSES),
    events: wire.list(wire.oneOf(EVENT_KINDS)),
  }),
);
export type SimulatedPayment = z.output<typeof SimulatedPayment>;

/**
 * Body of POST /sandbox/clock/advance/: a time, or a period such as P1M or PT36H in the
 * seller's calendar.
 */
export const MoveClock = z
  .object({
    to: z.iso.datetime({ offset: true }).optional(),
    by: z.iso.duration().max(40).optional(),
  })
  .refine(({ to, by }) => (to === undefined) !== (by === undefined), {
    path: ["to"],
    message: "Send either a moment (to) or a span (by).",
  });
export type MoveClock = z.infer<typeof MoveClock>;

const oneOf = <Known extends string>(values: readonly [Known, ...Known[]]) =>
  z.enum(values, { error: `Use one of ${values.join(", ")}.` });

export const StartScenario = z.object({ name: oneOf(SCENARIO_NAMES) });

/** Body of POST /sandbox/states/. */
export const SaveState = z.object({
  name: z
    .string()
    .trim()
    .min(1, "Give it a name.")
    .max(80, "Use at most 80 characters.")
    .refine(isPlainText, FIELD_MESSAGES.hidden),
});

/** Body of POST /sandbox/subscriptions/{id}/pay/. */
export const SimulatePayment = z.object({
  outcome: oneOf(PAYMENT_OUTCOMES),
  method: oneOf(CHECKOUT_METHODS).default("wallet"),
});
export type SimulatePayment = z.output<typeof SimulatePayment>;
