import type { Step as TimeStep } from "../lifecycle/elapsed.ts";
import type { Step, TimeSpan } from "./schemas.ts";

const STEPS_SHOWN = 1_000;

export interface RecordStep extends TimeStep {
  subscription_id: string;
}

const presentStep = ({ at, subscription_id, from, to, trigger, events }: RecordStep): Step => ({
  at: at.toISOString(),
  subscription_id,
  old_status: from,
  new_status: to,
  reason: trigger,
  events: [...events],
});

export const presentSpan = (from: Date, to: Date, steps: RecordStep[]): TimeSpan => ({
  from: from.toISOString(),
  to: to.toISOString(),
  count: steps.length,
  steps: steps.slice(0, STEPS_SHOWN).map(presentStep),
});
