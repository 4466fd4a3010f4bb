import type { Step, TimeSpan } from "#contract/sandbox.ts";
import type { RecordStep } from "./record-step.ts";

const STEPS_SHOWN = 1_000;

const presentStep = ({ at, subscription_id, from, to, reason, events }: RecordStep): Step => ({
  at: at.toISOString(),
  subscription_id,
  old_status: from,
  new_status: to,
  reason,
  events: [...events],
});

export const presentSpan = (from: Date, to: Date, steps: RecordStep[]): TimeSpan => ({
  from: from.toISOString(),
  to: to.toISOString(),
  count: steps.length,
  steps: steps.slice(0, STEPS_SHOWN).map(presentStep),
});
