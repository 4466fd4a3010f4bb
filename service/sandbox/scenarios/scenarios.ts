import type { ScenarioName } from "#contract/sandbox-names.ts";

/**
 * What a buyer does on a day, counted back from today; `reschedule` gives its new date in the
 * same way.
 */
export type ScenarioAct = { daysAgo: number; buyer: number } & (
  | { does: "subscribe" | "decline" | "pay" | "cancel" | "resume" }
  | { does: "reschedule"; toDaysAgo: number }
);

export interface Scenario {
  description: string;
  acts: (graceDays: number) => ScenarioAct[];
  /** Whether an unreachable endpoint is registered for every event. */
  endpointIsDown?: boolean;
}

const act = (
  daysAgo: number,
  buyer: number,
  does: "subscribe" | "decline" | "pay" | "cancel" | "resume",
): ScenarioAct => ({ daysAgo, buyer, does });
const subscribe = (daysAgo: number, buyer: number) => act(daysAgo, buyer, "subscribe");
const moveTo = (daysAgo: number, buyer: number, toDaysAgo: number): ScenarioAct => ({
  daysAgo,
  buyer,
  does: "reschedule",
  toDaysAgo,
});

/** ADR 0072: each is told through the verbs of the API, so that it holds nothing they could not make. */
export const SCENARIOS = {
  some_due: {
    description: "Three subscriptions that are due and three that are paid.",
    acts: (graceDays) => [
      ...[0, 1, 2].flatMap((buyer) => [
        subscribe(20, buyer),
        moveTo(19, buyer, Math.min(1, graceDays)),
      ]),
      ...[3, 4, 5].map((buyer) => subscribe(5, buyer)),
    ],
  },
  last_day_of_grace: {
    description: "One subscription that is inactive from tomorrow on, unless it is paid today.",
    acts: (graceDays) => [subscribe(graceDays + 10, 0), moveTo(graceDays + 9, 0, graceDays)],
  },
  endpoint_down: {
    description:
      "Events registered for an address where nothing answers, and two paid subscriptions.",
    acts: () => [subscribe(0, 0), subscribe(0, 1)],
    endpointIsDown: true,
  },
  month_of_history: {
    description:
      "A month with payments, a decline, cancellations, renewals and one that ran out.",
    acts: (graceDays) => [
      subscribe(29, 1),
      subscribe(28, 2),
      // No month is shorter than 28 days, so it is not due yet.
      subscribe(27, 0),
      moveTo(27, 1, 14),
      moveTo(26, 2, Math.min(graceDays + 2, 26)),
      act(21, 0, "cancel"),
      act(20, 3, "decline"),
      subscribe(19, 3),
      act(18, 0, "resume"),
      subscribe(15, 4),
      act(graceDays > 0 ? 13 : 14, 1, "pay"),
      act(8, 4, "cancel"),
      moveTo(6, 3, 3),
      subscribe(2, 5),
    ],
  },
} satisfies Record<ScenarioName, Scenario>;
