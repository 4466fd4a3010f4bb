import fc from "fast-check";
import { OUTCOMES } from "#tools/simulators/payment-book.ts";

/** Faulty answers of providers that cost no real time. */
const FAULTS = [
  "too_many",
  "busy",
  "server_error",
  "refused",
  "error_in_200",
  "redirect",
  "close_before",
  "close_after",
  "close_mid_answer",
  "bad_gateway",
  "gave_up",
  "html",
  "empty",
] as const;

const SECONDS = [6, 15, 60, 600, 3_600, 86_400, 3 * 86_400];

const action = <Name extends string, Fields extends object>(
  weight: number,
  name: Name,
  fields: { [Field in keyof Fields]: fc.Arbitrary<Fields[Field]> },
) => ({
  weight,
  arbitrary: fc.record<Fields>(fields).map((given) => ({ do: name, ...given })),
});

/** Null `weight` times as often as a value. */
const sometimes = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

/** The places in lists are taken modulo their length. */
const place = fc.nat(7);
const provider = fc.nat(5);
const statements = fc.nat(24);

const arbitraryAction = fc.oneof(
  // A buyer chooses a way to pay and goes to its provider; the process may be killed meanwhile.
  action(10, "checkout", {
    buyer: fc.nat(1),
    provider,
    isEarly: fc.boolean(),
    pays: fc.boolean(),
    killedAt: sometimes(6, statements),
  }),
  // The buyer leaves the provider's page, and goes to the provider again.
  action(2, "again", { tab: place }),
  action(9, "pay", { tab: place, returns: fc.boolean() }),
  action(2, "refuse", {
    tab: place,
    outcome: fc.constantFrom(...OUTCOMES.filter((each) => /decl|canc|exp/.test(each))),
    returns: fc.boolean(),
  }),
  // Another amount than that of the charge is taken, or one in another currency.
  action(1, "misprice", { tab: place, isForeign: fc.boolean() }),
  action(2, "look", { tab: place, killedAt: sometimes(1, statements) }),
  action(1, "crowd", { tab: place }),
  action(6, "work", {
    seconds: fc.constantFrom(...SECONDS),
    killedAt: sometimes(4, fc.nat(60)),
  }),
  action(3, "fault", {
    provider,
    fault: fc.constantFrom(...FAULTS),
    times: fc.integer({ min: 1, max: 2 }),
  }),
  // The next answer has another amount, another currency, or an unknown word.
  action(3, "twist", { provider, how: fc.constantFrom("amount", "currency", "word") }),
  // From now on the provider uses an unknown word for a payment.
  action(1, "puzzle", { tab: place }),
  action(2, "notify", {
    tab: place,
    times: fc.integer({ min: 1, max: 3 }),
    isForged: fc.boolean(),
  }),
  // The provider gives money back, or the buyer's bank takes it, without being asked.
  action(1, "undo", { tab: place }),
  // A buyer disputes a card payment; the provider keeps the money back and may return it.
  action(3, "dispute", {
    tab: place,
    word: fc.constantFrom("dispute_asked", "disputed", "dispute_won", "dispute_lost"),
  }),
  action(2, "refunds", { provider, mode: fc.constantFrom("normal", "refused", "pending") }),
  action(2, "seller", {
    buyer: fc.nat(1),
    does: fc.constantFrom("cancel", "resume", "reschedule", "price"),
  }),
  // A refund that Stripe has made fails.
  action(1, "fail", { refund: place }),
  action(2, "refund", { payment: place, part: fc.constantFrom(1, 2, 3) }),
  // A person asks about held money, then decides about what is still held.
  action(1, "decide", { task: place, isKept: fc.boolean() }),
  // A person does the work that is to be done by hand.
  action(1, "hand", {}),
  // A person gives up a refund that the provider refused, or that failed.
  action(1, "give up", { refund: place }),
);

/** Random actions of buyers, a seller, providers and time around two subscriptions. */
export const arbitraryPayments = fc.record({
  /** With the start in the past, providers' pages have ended before their buyers pay. */
  start: fc.constantFrom("now", "2026-03-31T05:00:00Z"),
  actions: fc.array(arbitraryAction, { minLength: 6, maxLength: 22 }),
  /** A person's decisions about held money when nothing is under way any more. */
  decisions: fc.array(fc.constantFrom("keep", "return", "leave"), {
    minLength: 6,
    maxLength: 8,
  }),
});

export type PaymentSequence =
  typeof arbitraryPayments extends fc.Arbitrary<infer One> ? One : never;
export type PaymentAction = PaymentSequence["actions"][number];
