import * as z from "zod";
import { EVENT_KINDS } from "#contract/events.ts";
import { SUBSCRIPTION_STATUSES } from "#contract/subscriptions.ts";

const Moment = z.iso.datetime({ offset: true });

/** To a moment, or by a span such as P1M or PT36H, counted in the seller's calendar. */
export const MoveClock = z
  .object({ to: Moment.optional(), by: z.iso.duration().max(40).optional() })
  .refine(({ to, by }) => (to === undefined) !== (by === undefined), {
    path: ["to"],
    message: "Send either a moment (to) or a span (by).",
  });
export type MoveClock = z.infer<typeof MoveClock>;

export const Clock = z.strictObject({
  now: Moment,
  real_now: Moment,
  is_ahead: z.boolean(),
  time_zone: z.string(),
  next_transition_at: Moment.nullable(),
});
export type Clock = z.infer<typeof Clock>;

const Step = z.strictObject({
  at: Moment,
  subscription_id: z.uuid(),
  old_status: z.enum(SUBSCRIPTION_STATUSES),
  new_status: z.enum(SUBSCRIPTION_STATUSES),
  reason: z.string(),
  events: z.array(z.enum(EVENT_KINDS)),
});
export type Step = z.infer<typeof Step>;

/** What time does between two moments; `steps` are the first of `count`. */
export const TimeSpan = z.strictObject({
  from: Moment,
  to: Moment,
  count: z.int(),
  steps: z.array(Step),
});
export type TimeSpan = z.infer<typeof TimeSpan>;
