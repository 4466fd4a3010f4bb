import { expect, it } from "vitest";
import { REMINDER_REFUSALS, REMINDER_WITHDRAWALS } from "#contract/field-messages.ts";
import { plannedPlace } from "#contract/process/planned-page.ts";
import { undoContact } from "#lib/collection/contacts-store.ts";
import { AppError } from "#lib/failure.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { makeSubscription } from "#tools/testing/fixtures/records-fixture.ts";
import {
  BILLED,
  openRemindedSeller as open,
  reminderStep as step,
} from "#tools/testing/fixtures/reminders-fixture.ts";
import { holdHere, plannedHere, releaseHere, sendHere } from "./planned.ts";

useDashboardDatabase();

/** Half past eight in Kathmandu on the billing date; the step is sent at nine. */
const BEFORE = "2026-12-01T02:45:00Z";
const MORNING = "2026-12-01T03:20:00Z";
const LATER = "2026-12-01T03:25:00Z";

type Seller = Awaited<ReturnType<typeof open>>;
const todayAt = async ({ planningAt }: Seller, at: string) => {
  const { count, results } = await plannedHere(planningAt(at));
  return { count, states: results.map(({ state }) => state), results };
};
const reminderOf = ({ subscription: { subscription_id } }: Seller) => ({
  subscription_id,
  step_id: 1,
});

it("the list has today's reminders before and after they are sent, with their results", async () => {
  const seller = await open([step(1, "on_day"), step(2, "after", { days: 1 })], {
    subscriptions: [
      makeSubscription({ next_billing_cycle: BILLED }),
      makeSubscription({ next_billing_cycle: BILLED, subscription_id: "other" }),
      makeSubscription({
        next_billing_cycle: "2026-12-03T06:15:00Z",
        subscription_id: "later",
      }),
    ],
  });
  const { full_name, phone } = seller.subscription.client;
  const before = await todayAt(seller, BEFORE);
  expect(before).toMatchObject({ count: 2, states: ["planned", "planned"] });
  expect(before.results).toContainEqual(
    expect.objectContaining({
      ...reminderOf(seller),
      full_name,
      to: phone,
      channel: "sms",
      at: "2026-12-01T03:15:00.000Z",
    }),
  );
  expect(await seller.work(MORNING)).toHaveLength(2);
  expect(await todayAt(seller, MORNING)).toMatchObject({
    count: 2,
    states: ["sending", "sending"],
  });
  const [first, second] = seller.sent;
  Object.assign(first ?? {}, { state: "read", sent_at: MORNING });
  Object.assign(second ?? {}, { state: "failed", sent_at: MORNING, error: "No such number." });
  const after = await todayAt(seller, LATER);
  expect(after).toMatchObject({ count: 1 });
  expect(after.states.toSorted()).toEqual(["failed", "read"]);
  expect(after.results.find(({ state }) => state === "failed")).toMatchObject({
    error: "No such number.",
  });
});

it("a hold stops one step of one billing date until the hold is released", async () => {
  const seller = await open([step(1, "on_day"), step(2, "on_day", { time: "11:00" })]);
  const hold = () => holdHere(seller.planningAt(BEFORE), reminderOf(seller));
  await hold();
  const held = await todayAt(seller, BEFORE);
  expect(held).toMatchObject({ count: 1, states: ["held", "planned"] });
  expect(await seller.work(MORNING)).toEqual([]);
  const [{ hold_id } = { hold_id: null }] = held.results;
  await releaseHere(seller.planningAt(LATER), hold_id ?? 0);
  await expect(releaseHere(seller.planningAt(LATER), hold_id ?? 0)).rejects.toMatchObject({
    failure: { kind: "not_found" },
  });
  expect(await seller.work(LATER)).toHaveLength(1);
  await expect(hold()).rejects.toMatchObject({ failure: { detail: REMINDER_REFUSALS.sent } });
  expect(await todayAt(seller, LATER)).toMatchObject({ states: ["sending", "planned"] });
});

it("reminders are listed page by page, each once, even if some are sent meanwhile", async () => {
  const subscriptions = Array.from({ length: 120 }, (_, index) =>
    makeSubscription({
      next_billing_cycle: BILLED,
      subscription_id: `s-${String(index).padStart(3, "0")}`,
    }),
  );
  const seller = await open([step(1, "on_day"), step(2, "on_day", { time: "11:00" })], {
    subscriptions,
  });
  const pageAt = (at: string, after: string | null) =>
    plannedHere(seller.planningAt(at), plannedPlace(after));
  const seen: string[] = [];
  let after: string | null = null;
  let pages = 0;
  do {
    const page = await pageAt(BEFORE, after);
    expect(page).toMatchObject({ count: 240, held: 0 });
    seen.push(...page.results.map((row) => `${row.step_id} ${row.subscription_id}`));
    after = page.next_after;
    pages += 1;
  } while (after !== null);
  expect([pages, seen.length, new Set(seen).size]).toEqual([5, 240, 240]);
  expect(seen).toEqual(seen.toSorted());

  expect(plannedPlace("1_0_\0")).toBeNull();

  const second = (await pageAt(BEFORE, null)).next_after;
  const last = (await pageAt(BEFORE, second)).results.at(-1);
  const hold = { subscription_id: last?.subscription_id ?? "", step_id: 1 };
  await holdHere(seller.planningAt(BEFORE), hold);
  expect(await pageAt(BEFORE, second)).toMatchObject({ count: 239, held: 1 });
  // Meanwhile the reminders on that page are sent, except the held one.
  expect(await seller.work(MORNING)).toHaveLength(100);
  const later = await pageAt(LATER, second);
  expect(later.count).toBe(239);
  expect(later.results.map(({ state }) => state)).toContain("held");
});

it("the list leaves out buyers who opted out, whatever the notation of their phone number or address", async () => {
  const client = { ...makeSubscription().client, phone: "9800000001", email: "a@example.com" };
  const other = { ...client, phone: "9800000002", email: "B@example.com" };
  const seller = await open([step(1, "on_day")], {
    subscriptions: [
      makeSubscription({ next_billing_cycle: BILLED, client }),
      makeSubscription({ next_billing_cycle: BILLED, client: other, subscription_id: "other" }),
    ],
  });
  const optOut = {
    id: 1,
    phone: "+977 980-0000001",
    email: "",
    opted_out_at: BEFORE,
    how: "link" as const,
    reason: null,
  };
  seller.optOuts.push(optOut);
  expect(await todayAt(seller, BEFORE)).toMatchObject({
    count: 1,
    results: [{ subscription_id: "other" }],
  });
  seller.optOuts.push({ ...optOut, id: 2, phone: "", email: "b@example.com" });
  expect(await todayAt(seller, BEFORE)).toMatchObject({ count: 0, results: [] });
  // A service that does not know the cursor sends the same page again and again.
  seller.answerOptOuts("again");
  expect(await todayAt(seller, BEFORE)).toMatchObject({ count: 0, results: [] });
  seller.answerOptOuts(null);
  seller.optOuts.length = 0;
  expect(await todayAt(seller, BEFORE)).toMatchObject({ count: 2 });
});

it("another seller cannot hold a reminder or release it", async () => {
  const seller = await open([step(1, "on_day")]);
  const other = await open([step(1, "on_day")], {
    subscriptions: [
      makeSubscription({ next_billing_cycle: BILLED, subscription_id: "theirs" }),
    ],
  });
  const planning = other.planningAt(BEFORE);
  const missing = { failure: { kind: "not_found" } };
  await expect(holdHere(planning, reminderOf(seller))).rejects.toMatchObject(missing);
  await holdHere(seller.planningAt(BEFORE), reminderOf(seller));
  const { results } = await todayAt(seller, BEFORE);
  await expect(releaseHere(planning, results[0]?.hold_id ?? 0)).rejects.toMatchObject(missing);
  expect(await todayAt(other, BEFORE)).toMatchObject({ count: 1 });
});

it("a reminder stopped by a promise is shown as held, and cannot be released from the list", async () => {
  const seller = await open([step(1, "on_day")]);
  const id = await seller.contact("promise", { promised_for: "2026-12-01" });
  const held = await todayAt(seller, BEFORE);
  expect(held).toMatchObject({ count: 0, states: ["held"] });
  expect(held.results[0]?.hold_id).toBeNull();
  await undoContact(pool, seller.asha, id);
  await seller.contact("says_paid", { amount: "500", currency: "NPR", method: "cash" });
  expect(await todayAt(seller, BEFORE)).toMatchObject({ count: 0, states: ["held"] });
});

it("a reminder that a member sends before its time is not sent again at that time", async () => {
  const seller = await open([step(1, "on_day")]);
  await sendHere(seller.planningAt(BEFORE), reminderOf(seller));
  expect(seller.handed).toHaveLength(1);
  Object.assign(seller.sent[0] ?? {}, { state: "accepted", sent_at: BEFORE });
  seller.answer("known");
  await seller.work(MORNING);
  expect(await todayAt(seller, LATER)).toMatchObject({ count: 1, states: ["accepted"] });
  await expect(sendHere(seller.planningAt(LATER), reminderOf(seller))).rejects.toMatchObject({
    failure: { kind: "conflict", detail: REMINDER_REFUSALS.sent },
  });
  expect(new Set(seller.handed.map(({ cause }) => cause)).size).toBe(1);
});

it("a reminder that the service did not accept stays planned and can be held", async () => {
  const seller = await open([step(1, "on_day")]);
  seller.answer(new AppError({ kind: "unavailable", outcome_unknown: false }));
  await expect(sendHere(seller.planningAt(BEFORE), reminderOf(seller))).rejects.toThrow(
    AppError,
  );
  expect(await todayAt(seller, BEFORE)).toMatchObject({ count: 1, states: ["planned"] });
  await holdHere(seller.planningAt(BEFORE), reminderOf(seller));
  expect(await todayAt(seller, BEFORE)).toMatchObject({ count: 0, states: ["held"] });
});

it("a reminder that the service may have accepted cannot be held, and is sent once", async () => {
  const seller = await open([step(1, "on_day")]);
  seller.answer(new AppError({ kind: "unavailable", outcome_unknown: true }));
  await expect(sendHere(seller.planningAt(BEFORE), reminderOf(seller))).rejects.toThrow(
    AppError,
  );
  expect(await todayAt(seller, BEFORE)).toMatchObject({ count: 1, states: ["sending"] });
  await expect(holdHere(seller.planningAt(BEFORE), reminderOf(seller))).rejects.toMatchObject({
    failure: { detail: REMINDER_REFUSALS.sent },
  });
  seller.answer("queued");
  expect(await seller.work(MORNING)).toHaveLength(1);
  expect(new Set(seller.handed.map(({ cause }) => cause)).size).toBe(1);
});

it.each([
  ["an opt-out", "opted_out", MORNING, REMINDER_WITHDRAWALS.opted_out],
  ["the limit a week", "limit", MORNING, REMINDER_WITHDRAWALS.limit],
  ["no channel", "unreachable", MORNING, REMINDER_REFUSALS.unreachable],
  ["quiet hours", "queued", "2026-12-01T01:00:00Z", REMINDER_REFUSALS.quiet],
] as const)(
  "sending a reminder is refused with a reason because of %s",
  async (_, outcome, at, detail) => {
    const seller = await open([step(1, "on_day")]);
    seller.answer(outcome);
    await expect(sendHere(seller.planningAt(at), reminderOf(seller))).rejects.toMatchObject({
      failure: { kind: "conflict", detail },
    });
  },
);
