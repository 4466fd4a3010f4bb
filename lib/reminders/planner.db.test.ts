import { expect, it } from "vitest";
import { undoContact } from "#lib/collection/contacts-store.ts";
import { AppError } from "#lib/failure.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  openRemindedSeller as open,
  reminderStep as step,
} from "#tools/testing/fixtures/reminders-fixture.ts";
import type { PreviewReminders } from "#contract/reminders.ts";
import {
  readBuyerLanguage,
  saveBuyerLanguage,
} from "#lib/messages/reminders/buyer-language.ts";
import { previewElsewhere } from "./preview.ts";
import { endTurn, takeTurn } from "./store.ts";

useDashboardDatabase();

const MORNING = "2026-12-01T04:00:00Z";

it("a reminder step is sent once on its day, with the amount and the remaining days", async () => {
  const { work, handed, subscription } = await open([
    step(1, "before", { days: 3 }),
    step(2, "on_day"),
  ]);
  expect(await work("2026-11-28T03:00:00Z")).toEqual([]);
  expect(await work("2026-11-28T03:20:00Z")).toEqual(["before NPR 500.00 (list price) 3 days"]);
  expect(handed[0]).toMatchObject({
    subscription_id: subscription.subscription_id,
    phone: subscription.client.phone,
    expires_at: "2026-11-28T03:50:00.000Z",
    parameters: expect.arrayContaining(["{stop}"]),
  });
  expect(await work("2026-11-28T03:30:00Z")).toEqual([]);
  expect(await work(MORNING)).toEqual([expect.stringMatching(/^on_day .* less than a day$/)]);
});

it.each([
  ["was paid a second ago", { next_billing_cycle: "2027-01-01T06:15:00Z" }],
  ["ended", { status: "inactive" }],
])("no reminder is sent for a subscription that %s", async (_, change) => {
  const { work, known, subscription } = await open([step(1, "on_day")]);
  known.record = { ...subscription, ...change };
  expect(await work(MORNING)).toEqual([]);
});

it.each([
  ["a promise", "promise", { promised_for: "2026-12-01" }],
  ["a snooze", "snooze", { snoozed_until: "2026-12-02" }],
  ["a word that it is paid", "says_paid", { amount: "500", currency: "NPR", method: "cash" }],
] as const)(
  "%s holds back a reminder until a member undoes the entry",
  async (_, kind, detail) => {
    const { work, contact, asha } = await open([step(1, "on_day")]);
    const id = await contact(kind, detail);
    expect(await work(MORNING)).toEqual([]);
    await undoContact(pool, asha, id);
    expect(await work("2026-12-01T04:15:00Z")).toHaveLength(1);
  },
);

it("a reminder has the language chosen for the buyer, else the language of the schedule", async () => {
  const text = (language: string, words: string) => ({
    language,
    subject: "{product}",
    text: `${words} {amount} {date} {days} {link}`,
    sms: null,
  });
  const texts = [text("en", "English"), text("hi", "हिन्दी")];
  const { work, handed, owner, subscription, planningAt } = await open([
    step(1, "before", { days: 3, texts }),
    step(2, "on_day", { texts: [text("en", "English")] }),
  ]);
  const { phone } = subscription.client;
  await saveBuyerLanguage(pool, owner, { phone, language: "hi" });
  expect(await readBuyerLanguage(pool, owner, `+977 ${phone}`)).toBe("hi");
  const other = await open([]);
  expect(await readBuyerLanguage(pool, other.owner, phone)).toBeNull();
  expect(await work("2026-11-28T04:00:00Z")).toEqual([
    "हिन्दी NPR 500.00 (list price) 1 दिसंबर 2026 3 दिन",
  ]);
  expect(handed[0]).toMatchObject({ language: "hi" });
  const { messages, ...planning } = planningAt(MORNING);
  const previewing = {
    ...planning,
    messages: { ...messages, previewReminders: async () => ({ results: [] }) },
  };
  const steps: PreviewReminders["steps"] = [
    {
      kind: "on_day",
      days: null,
      hours: null,
      time: "09:00",
      channel: null,
      texts: [text("en", "English")],
    },
  ];
  expect((await previewElsewhere(previewing, { steps })).results).toMatchObject([
    { language: "en", asked_language: "hi" },
  ]);
  await saveBuyerLanguage(pool, owner, { phone, language: null });
  expect(await readBuyerLanguage(pool, owner, phone)).toBeNull();
});

it("after a pause, only the newest reminder of the current day is sent", async () => {
  const { work } = await open([
    step(1, "before", { days: 1 }),
    step(2, "on_day"),
    step(3, "on_day", { time: "11:00", texts: step(3, "later").texts }),
  ]);
  expect(await work("2026-12-01T08:00:00Z")).toEqual([expect.stringMatching(/^later/)]);
  expect(await work("2026-12-01T08:20:00Z")).toEqual([]);
});

it("no reminder is sent for a time before the schedule was switched on, or in quiet hours", async () => {
  const late = await open([step(1, "on_day")], { on_since: "2026-12-02T00:00:00Z" });
  expect(await late.work(MORNING)).toEqual([]);
  const { work, handed } = await open([step(1, "on_day", { time: "19:50" })]);
  expect(await work("2026-12-01T14:30:00Z")).toEqual([]);
  expect(await work("2026-12-01T14:10:00Z")).toHaveLength(1);
  expect(handed[0]?.expires_at).toBe("2026-12-01T14:15:00.000Z");
});

it("a reminder that expired unsent is handed to the service again, and a sent reminder is not", async () => {
  const { work, answer, sent } = await open([step(1, "on_day")]);
  expect(await work(MORNING)).toHaveLength(1);
  expect(await work("2026-12-01T04:20:00Z")).toEqual([]);
  expect(await work("2026-12-01T04:31:00Z")).toHaveLength(1);
  answer("known");
  Object.assign(sent.at(-1) ?? {}, { state: "accepted" });
  expect(await work("2026-12-01T05:02:00Z")).toHaveLength(1);
  expect(await work("2026-12-01T06:00:00Z")).toEqual([]);
});

it("an unavailable service ends a planning round, and the next round continues", async () => {
  const { work, known, subscription } = await open([step(1, "on_day")]);
  known.record = new AppError({ kind: "unavailable", outcome_unknown: true });
  await expect(work(MORNING)).rejects.toThrow("unavailable");
  known.record = subscription;
  expect(await work(MORNING)).toHaveLength(1);
});

it("a message that the service refuses does not end the planning round, and is tried again later", async () => {
  const { work, answer } = await open([step(1, "on_day")]);
  answer(
    new AppError({ kind: "validation", fields: { subject: ["Too long."] }, detail: null }),
  );
  expect(await work(MORNING)).toHaveLength(1);
  expect(await work("2026-12-01T04:05:00Z")).toEqual([]);
  answer("queued");
  expect(await work("2026-12-01T04:11:00Z")).toHaveLength(1);
});

it("one process at a time plans reminders, once a minute, and only for accounts that Duebook did not open", async () => {
  const { owner } = await open([]);
  const claim = await takeTurn(pool, owner);
  expect(claim).not.toBeNull();
  const wait = () =>
    pool.query("update message_account set next_at = next_at - interval '1 minute'");
  await wait();
  expect(await takeTurn(pool, owner)).toBeNull();
  await endTurn(pool, owner, claim ?? "");
  await pool.query(
    `insert into billing_account (seller_id, mode, sealed_key, key_id, account_id)
     values ($1, $2, '', '', 1)`,
    [owner.seller_id, owner.mode],
  );
  expect(await takeTurn(pool, owner)).toBeNull();
  await pool.query("delete from billing_account where seller_id = $1", [owner.seller_id]);
  expect(await takeTurn(pool, owner)).not.toBeNull();
  expect(await takeTurn(pool, owner)).toBeNull();
});
