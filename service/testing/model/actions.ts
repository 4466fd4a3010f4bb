import fc from "fast-check";

/** `seller`, `buyer`, `period` and `record` are indexes, taken modulo the number of items. */
export type ModelAction =
  | { do: "create"; seller: number; buyer: number; period: number }
  | { do: "checkout"; seller: number; record: number; approve: boolean }
  | { do: "provider" | "cancel" | "resume" | "intrude"; seller: number; record: number }
  | { do: "reschedule"; seller: number; record: number; days: number }
  /** Moves to the start or end of a day relative to a subscription's billing date. */
  | { do: "reach"; seller: number; record: number; days: number; end: boolean; sweep: boolean }
  | { do: "wait"; hours: number; sweep: boolean };

const seller = fc.nat(1);
const record = fc.nat(7);
const on = <Name extends string>(name: Name) =>
  fc.record({ do: fc.constant(name), seller, record });

const action: fc.Arbitrary<ModelAction> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("create" as const),
      seller,
      buyer: fc.nat(1),
      period: fc.nat(4),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("checkout" as const),
      seller,
      record,
      approve: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: on("provider" as const) },
  { weight: 3, arbitrary: on("cancel" as const) },
  { weight: 3, arbitrary: on("resume" as const) },
  { weight: 1, arbitrary: on("intrude" as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("reschedule" as const),
      seller,
      record,
      days: fc.integer({
        min: -2,
        max: 40,
      }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("reach" as const),
      seller,
      record,
      days: fc.constantFrom(0, 0, 1, 7, 8),
      end: fc.boolean(),
      sweep: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      hours: fc.oneof(fc.nat(30), fc.nat(24 * 45)),
      sweep: fc.boolean(),
    }),
  },
);

export interface ActionSequence {
  /** The start of the sequence: near the end of a day, a month or a year, or near a leap day. */
  start: string;
  actions: ModelAction[];
}

export const arbitrarySequence: fc.Arbitrary<ActionSequence> = fc.record({
  start: fc.constantFrom(
    "2026-01-31T06:00:00Z",
    "2028-02-28T20:00:00Z",
    "2026-03-10T18:10:00Z",
    "2026-12-31T09:59:00Z",
  ),
  actions: fc.array(action, { minLength: 8, maxLength: 30 }),
});
