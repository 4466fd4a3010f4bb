import type { Step, TimeSpan } from "#contract/sandbox.ts";
import type { EventKind } from "#contract/events.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { Database } from "../../db/database.ts";
import type { Seller } from "../../sellers/store.ts";
import { selectNames } from "./store.ts";
import type { TimedChange } from "../../subscriptions/timed-changes.ts";
import { transition } from "../../subscriptions/transitions.ts";

export const STEPS_SHOWN = 1_000;
const MOMENTS_SHOWN = 1_000;

interface StepPage {
  page: number;
  page_size: number;
}
const FIRST: StepPage = { page: 1, page_size: STEPS_SHOWN };

/** The requested page of steps; unreadable values mean the first thousand. */
export function readStepPage(query: unknown): StepPage {
  const read = (name: string, most: number): number | null => {
    const given: unknown = Reflect.get(Object(query) as object, name);
    const value = typeof given === "string" && /^[0-9]{1,6}$/.test(given) ? Number(given) : 0;
    return value > 0 ? Math.min(value, most) : null;
  };
  return {
    page: read("page", 1e6) ?? 1,
    page_size: read("page_size", STEPS_SHOWN) ?? STEPS_SHOWN,
  };
}

/** Totals over all steps, and one page of them with the buyers' names. */
export async function presentSpan(
  database: Database,
  { seller_id }: Pick<Seller, "seller_id">,
  { from, to, steps }: { from: Date; to: Date; steps: RecordStep[] },
  { page, page_size } = FIRST,
): Promise<TimeSpan> {
  const shown = steps.slice((page - 1) * page_size, page * page_size);
  const ids = [...new Set(shown.map(({ subscription_id }) => subscription_id))];
  const names = await selectNames(database, seller_id, ids);
  const presentStep = ({
    at,
    from: old_status,
    to: new_status,
    ...step
  }: RecordStep): Step => ({
    ...step,
    at: at.toISOString(),
    full_name: names.get(step.subscription_id) ?? "",
    old_status,
    new_status,
    events: [...step.events],
  });
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    count: steps.length,
    reasons: tally(steps.map(({ reason }) => reason)).map(([reason, count]) => ({
      reason,
      count,
    })),
    events: tally(steps.flatMap(({ events }) => events)).map(([event, count]) => ({
      event,
      count,
    })),
    moments: tally(steps.map(({ at }) => at.getTime()))
      .slice(0, MOMENTS_SHOWN)
      .map(([at, count]) => ({ at: new Date(at).toISOString(), count })),
    steps: shown.map(presentStep),
  };
}

function tally<Key>(keys: Key[]): [Key, number][] {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts];
}

export interface RecordStep {
  at: Date;
  subscription_id: string;
  from: SubscriptionStatus;
  to: SubscriptionStatus;
  reason: string;
  events: readonly EventKind[];
}

export const timeStep = (
  subscription_id: string,
  { trigger, ...step }: TimedChange,
): RecordStep => ({
  ...step,
  subscription_id,
  reason: trigger,
});

interface Failed {
  at: Date;
  subscription_id: string;
  is_one_time: boolean;
  /** Pending checkout by default, the only status in which a checkout is abandoned. */
  status?: SubscriptionStatus;
}

/** The step of a failed payment; none if the status has no such transition. */
export function failureStep(
  { at, subscription_id, is_one_time, status = "pending_checkout" }: Failed,
  reason: string,
): RecordStep[] {
  const move = transition(status, "payment_failed", { isOneTime: is_one_time });
  if (move.outcome !== "changed") return [];
  return [{ at, subscription_id, from: status, to: move.to, reason, events: move.events }];
}
