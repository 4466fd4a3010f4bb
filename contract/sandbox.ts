import * as z from "zod";
import { EVENT_KINDS } from "./events.ts";
import { PAYMENT_METHODS, PAYMENT_OUTCOMES, SCENARIO_NAMES } from "./sandbox-names.ts";
import { SUBSCRIPTION_STATUSES } from "./subscription-statuses.ts";
import { strict, tolerant, type Wire } from "./wire.ts";

/** Pending: the provider has not said yet. Returned: approved, but owed no more. */
export const PAYMENT_RESULTS = ["paid", "failed", "returned", "pending"] as const;

const clock = (wire: Wire) =>
  wire.object({
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
    old_status: wire.oneOf(SUBSCRIPTION_STATUSES),
    new_status: wire.oneOf(SUBSCRIPTION_STATUSES),
    reason: wire.text,
    events: wire.list(wire.oneOf(EVENT_KINDS)),
  });

const timeSpan = (wire: Wire) =>
  wire.object({
    from: wire.datetime,
    to: wire.datetime,
    count: wire.count,
    steps: wire.list(step(wire)),
  });

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

export const Clock = clock(strict);
export type Clock = z.output<typeof Clock>;
export const ReceivedClock = clock(tolerant);

export const Step = step(strict);
export type Step = z.output<typeof Step>;

/** What time does between two moments; `steps` are the first of `count`. */
export const TimeSpan = timeSpan(strict);
export type TimeSpan = z.output<typeof TimeSpan>;
export const ReceivedTimeSpan = timeSpan(tolerant);

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

/** What POST /sandbox/subscriptions/{id}/pay/ takes. */
export const SimulatePayment = z.object({
  outcome: oneOf(PAYMENT_OUTCOMES),
  method: oneOf(PAYMENT_METHODS).default("wallet"),
});
export type SimulatePayment = z.output<typeof SimulatePayment>;
