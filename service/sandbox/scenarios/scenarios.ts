import type { ScenarioName } from "#contract/names.ts";

export type ScenarioAction = { daysAgo: number; buyer: number } & (
  | { does: "subscribe" | "decline" | "pay" | "cancel" | "resume" }
  | { does: "reschedule"; toDaysAgo: number }
);

export interface Scenario {
  description: string;
  actions: (graceDays: number) => ScenarioAction[];
  /** Whether an unreachable endpoint is registered for every event. */
  endpointIsDown?: boolean;
}

const action = (
  daysAgo: number,
  buyer: number,
  does: "subscribe" | "decline" | "pay" | "cancel" | "resume",
): ScenarioAction => ({ daysAgo, buyer, does });
const subscribe = (daysAgo: number, buyer: number) => action(daysAgo, buyer, "subscribe");
const moveTo = (daysAgo: number, buyer: number, toDaysAgo: number): ScenarioAction => ({
  daysAgo,
  buyer,
  does: "reschedule",
  toDaysAgo,
});

/**
 * ADR 0072: scenarios use the service's own operations, so that their records are such as users can
 * create.
 */
export const SCENARIOS = {
  some_due: {
    description: "Three subscriptions that are due and three that are paid.",
    actions: (graceDays) => [
      ...[0, 1, 2].flatMap((buyer) => [
        subscribe(20, buyer),
        moveTo(19, buyer, Math.min(1, graceDays)),
      ]),
      ...[3, 4, 5].map((buyer) => subscribe(5, buyer)),
    ],
  },
  last_day_of_grace: {
    description: "One subscription that is inactive from tomorrow on, unless it is paid today.",
    actions: (graceDays) => [subscribe(graceDays + 10, 0), moveTo(graceDays + 9, 0, graceDays)],
  },
  endpoint_down: {
    description:
      "Events registered for an address where nothing answers, and two paid subscriptions.",
    actions: () => [subscribe(0, 0), subscribe(0, 1)],
    endpointIsDown: true,
  },
  month_of_history: {
    description:
      "A month with payments, a decline, cancellations, renewals and one that ran out.",
    actions: (graceDays) => [
      subscribe(29, 1),
      subscribe(28, 2),
      // Every month has at least 28 days, so the subscription is not due yet.
      subscribe(27, 0),
      moveTo(27, 1, 14),
      moveTo(26, 2, Math.min(graceDays + 2, 26)),
      action(21, 0, "cancel"),
      action(20, 3, "decline"),
      subscribe(19, 3),
      action(18, 0, "resume"),
      subscribe(15, 4),
      action(graceDays > 0 ? 13 : 14, 1, "pay"),
      action(8, 4, "cancel"),
      moveTo(6, 3, 3),
      subscribe(2, 5),
    ],
  },
} satisfies Record<ScenarioName, Scenario>;
