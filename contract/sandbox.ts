import * as z from "zod";
import { EVENT_KINDS } from "./events.ts";
import {
  PAYMENT_METHODS,
  PAYMENT_OUTCOMES,
  SCENARIO_NAMES,
  STATE_KINDS,
} from "./sandbox-names.ts";
import { SUBSCRIPTION_STATUSES } from "./subscription-statuses.ts";
import { strict, tolerant, type Wire } from "./wire.ts";

/** Pending: the provider has not said yet. Returned: approved, but owed no more. */
export const PAYMENT_RESULTS = ["paid", "failed", "returned", "pending"] as const;

const clock = (wire: Wire) => ({
  now: wire.datetime,
  real_now: wire.datetime,
  is_ahead: wire.boolean,
  time_zone: wire.text,
  next_transition_at: wire.nullable(wire.datetime),
});

const step = (wire: Wire) =>
  wire.object({
    at: wire.datetime,
    subscription_id: wire.id,
    full_name: wire.text,
    old_status: wire.oneOf(SUBSCRIPTION_STATUSES),
    new_status: wire.oneOf(SUBSCRIPTION_STATUSES),
    reason: wire.text,
    events: wire.list(wire.oneOf(EVENT_KINDS)),
  });

const timeSpan = (wire: Wire) => ({
  from: wire.datetime,
  to: wire.datetime,
  count: wire.count,
  // Counted over all steps: for which reason, with which events, at which moments.
  reasons: wire.list(wire.object({ reason: wire.text, count: wire.integer })),
  events: wire.list(wire.object({ event: wire.text, count: wire.integer })),
  moments: wire.list(wire.object({ at: wire.datetime, count: wire.integer })),
  steps: wire.list(step(wire)),
});

/** What is given back to undo it; null where nothing was kept. */
const undo = (wire: Wire) => ({ undo: wire.nullable(wire.number_id) });

const state = (wire: Wire) =>
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

const stateList = (wire: Wire) =>
  wire.object({ results: wire.list(state(wire)), most_saved: wire.integer });

const replaced = (wire: Wire) => wire.object({ message: wire.text, ...undo(wire) });

const restored = (wire: Wire) =>
  wire.object({ message: wire.text, ...undo(wire), sent_since: wire.integer });

const scenarioList = (wire: Wire) =>
  wire.object({
    results: wire.list(
      wire.object({
        name: wire.id,
        description: wire.text,
        is_current: wire.boolean,
      }),
    ),
  });

const simulatedPayment = (wire: Wire) =>
  wire.object({
    subscription_id: wire.id,
    result: wire.oneOf(PAYMENT_RESULTS),
    reason: wire.nullable(wire.text),
    old_status: wire.oneOf(SUBSCRIPTION_STATUSES),
    new_status: wire.oneOf(SUBSCRIPTION_STATUSES),
    events: wire.list(wire.oneOf(EVENT_KINDS)),
  });

export const Clock = strict.object(clock(strict));
export type Clock = z.output<typeof Clock>;
export const ReceivedClock = tolerant.object(clock(tolerant));

/** The clock after it was set right. */
export const SetClock = strict.object({ ...clock(strict), ...undo(strict) });
export type SetClock = z.output<typeof SetClock>;
export const ReceivedSetClock = tolerant.object({ ...clock(tolerant), ...undo(tolerant) });

export const Step = step(strict);
export type Step = z.output<typeof Step>;

/** What time does between two moments; `steps` are a page of `count`. */
export const TimeSpan = strict.object(timeSpan(strict));
export type TimeSpan = z.output<typeof TimeSpan>;
export const ReceivedTimeSpan = tolerant.object(timeSpan(tolerant));

/** What time did on the way of an advance. */
export const ClockMove = strict.object({ ...timeSpan(strict), ...undo(strict) });
export type ClockMove = z.output<typeof ClockMove>;
export const ReceivedClockMove = tolerant.object({ ...timeSpan(tolerant), ...undo(tolerant) });

/** All that was replaced by a scenario or a reset. */
export const Replaced = replaced(strict);
export type Replaced = z.output<typeof Replaced>;
export const ReceivedReplaced = replaced(tolerant);

/** The account as it stood once, kept to go back to; `clock_at` is what its clock showed. */
export const SavedState = state(strict);
export type SavedState = z.output<typeof SavedState>;
export const ReceivedSavedState = state(tolerant);

/** Newest first, automatic ones too; at most `most_saved` by hand. */
export const StateList = stateList(strict);
export type StateList = z.output<typeof StateList>;
export const ReceivedStateList = stateList(tolerant);

/** `sent_since`: deliveries that went out after it was saved and cannot be taken back. */
export const Restored = restored(strict);
export type Restored = z.output<typeof Restored>;
export const ReceivedRestored = restored(tolerant);

export const ScenarioList = scenarioList(strict);
export type ScenarioList = z.output<typeof ScenarioList>;
export const ReceivedScenarioList = scenarioList(tolerant);

/** How a simulated payment ended, what it made of the subscription, and what was announced. */
export const SimulatedPayment = simulatedPayment(strict);
export type SimulatedPayment = z.output<typeof SimulatedPayment>;
export const ReceivedSimulatedPayment = simulatedPayment(tolerant);

/** To a moment, or by a span such as P1M or PT36H, counted in the seller's calendar. */
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

/** What POST /sandbox/states/ takes. */
export const SaveState = z.object({
  name: z.string().trim().min(1, "Give it a name.").max(80, "Use at most 80 characters."),
});

/** What POST /sandbox/subscriptions/{id}/pay/ takes. */
export const SimulatePayment = z.object({
  outcome: oneOf(PAYMENT_OUTCOMES),
  method: oneOf(PAYMENT_METHODS).default("wallet"),
});
export type SimulatePayment = z.output<typeof SimulatePayment>;
