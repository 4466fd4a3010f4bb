import fc from "fast-check";

/** Days from the billing date to each kind of step; `last` is the test sellers' grace period. */
export const STEP_OFFSETS: Record<string, number> = {
  b2: -2,
  b1: -1,
  on: 0,
  a1: 1,
  a3: 3,
  last: 7,
};

const change = fc.oneof(
  fc.record({ do: fc.constant("pay" as const), buyer: fc.nat(3) }),
  fc.record({ do: fc.constant("stop" as const), buyer: fc.nat(3) }),
  fc.record({
    do: fc.constant("promise" as const),
    buyer: fc.nat(3),
    days: fc.integer({ min: 1, max: 4 }),
  }),
);

const hours = (max: number) => fc.integer({ min: 1, max });

/** A schedule, buyers with days until their billing dates, and random events. */
export const arbitraryReminders = fc.record({
  steps: fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom(...Object.keys(STEP_OFFSETS)),
      time: fc.constantFrom("09:00", "12:30", "18:00"),
    }),
    { minLength: 1, maxLength: 6, selector: ({ kind, time }) => kind + time },
  ),
  weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 3, maxLength: 7 }),
  // Around month ends, the end of February, and changes of daylight saving time in New York.
  start: fc.constantFrom(
    "2026-03-28",
    "2028-02-26",
    "2026-12-29",
    "2026-04-29",
    "2027-03-11",
    "2026-10-29",
  ),
  time_zone: fc.constantFrom("Asia/Kathmandu", "America/New_York"),
  buyers: fc.array(fc.integer({ min: -1, max: 5 }), { minLength: 1, maxLength: 4 }),
  actions: fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ do: fc.constant("work" as const), hours: hours(9) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant("pause" as const), hours: hours(60) }),
      },
      // The seller moves the sandbox's clock.
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant("jump" as const), hours: hours(40) }),
      },
      // A worker is killed before one of its statements; another worker begins two minutes later.
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant("kill" as const),
          hours: hours(9),
          statements: fc.nat(60),
        }),
      },
      // Something changes after the reminders are planned and before they are sent.
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant("late" as const), hours: hours(9), change }),
      },
      { weight: 3, arbitrary: change },
    ),
    { minLength: 8, maxLength: 24 },
  ),
});

export type ReminderSequence =
  typeof arbitraryReminders extends fc.Arbitrary<infer One> ? One : never;
export type BuyersChange = typeof change extends fc.Arbitrary<infer One> ? One : never;
