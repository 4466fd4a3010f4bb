import { expect, it } from "vitest";
import { ScheduleResults } from "#contract/reminders.ts";
import { countPagesRead } from "#tools/testing/pages-read.ts";
import {
  askAccount,
  reminderStep as step,
  REMINDERS_URL as URL_OF,
  runReminderWork,
} from "../testing/reminders/schedule.ts";
import { openReminders } from "../testing/reminders/open.ts";
import { findSeller, type Seller } from "../sellers/store.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { reminderResults } from "./results.ts";

const service = useTestService();

const resultsOf = async (owner: TestSeller) =>
  ScheduleResults.parse(
    (await askAccount(service, owner, "GET", `${URL_OF}/results/?from=2026-03-01`)).json(),
  );

// Subscriptions paid on 10 March are billed on 10 April.
it("the results count sent reminders, and buyers who paid within 1, 3 or 7 days of their last reminder", async () => {
  const { gateway, api, owner } = await openReminders(service, [
    step("on_day"),
    step("after", { days: 2 }),
  ]);
  const quick = await api.createActive();
  await api.createActive(api.periods.monthly, { phone: "9800000002" });
  const work = (moment: string) => runReminderWork(service, gateway, moment);
  expect(await work("2026-04-10T07:00:00Z")).toHaveLength(2);
  expect(await work("2026-04-11T09:00:00Z")).toEqual([]);
  expect(await api.pay(quick)).toBe("paid");
  expect(await work("2026-04-12T07:00:00Z")).toHaveLength(1);
  expect(await work("2026-04-14T07:00:00Z")).toEqual([]);
  expect(await resultsOf(owner)).toEqual({
    from: "2026-03-01",
    channels: [{ channel: "sms", sent: 3, delivered: 0, read: 0, failed: 0 }],
    reminded: 2,
    paid: 1,
    paid_within: [
      { days: 1, paid: 0, of: 2 },
      { days: 3, paid: 1, of: 1 },
      { days: 7, paid: 0, of: 0 },
    ],
  });
  const other = await withAccountToken(service, (await SellerApi.open(service)).seller);
  expect(await resultsOf(other)).toMatchObject({ channels: [], reminded: 0, paid: 0 });
});

const insertReminders = (
  sellerId: number,
  state: string,
  subscriptionIds: string[],
  sentAt: Date,
) =>
  service.pool.query(
    `with queued as (
       insert into message (message_id, seller_id, kind, cause, subscription_id, phone, email, language, state,
         next_at, queued_at, state_at)
       select gen_random_uuid(), $1, 'reminder', gen_random_uuid(), id, '', '', 'en', $2, $4, $4, $4
       from unnest($3::uuid[]) as id returning message_id, seller_id, subscription_id)
     insert into reminder (message_id, seller_id, step_id, subscription_id, customer_id, schedule, planned_at,
       until, sent_at)
     select message_id, seller_id, 1, subscription_id, 1, 1, $4, $4, $4 from queued`,
    [sellerId, state, subscriptionIds, sentAt],
  );

const DAY = 86_400_000;

it("the results count days from the last reminder before a payment, and read few database pages", async () => {
  const api = await SellerApi.open(service);
  const { pool } = service;
  const { seller_id } = api.seller;
  const paid = await api.createActive();
  const { rows } = await pool.query<{ paid_at: Date }>(
    "select paid_at from payment where subscription_id = $1",
    [paid],
  );
  const dayOf = (days: number) => new Date((rows[0]?.paid_at.getTime() ?? 0) + days * DAY);
  await insertReminders(seller_id, "accepted", [paid], dayOf(-3));
  await insertReminders(seller_id, "read", [paid], dayOf(-2));
  for (const state of ["queued", "sending", "failed", "expired", "withdrawn"])
    await insertReminders(seller_id, state, [paid], dayOf(-1));
  await insertReminders(seller_id, "unknown", [paid], dayOf(0));
  const seller = (await findSeller(pool, seller_id)) as Seller;
  const asked = { seller, from: "2026-01-01", now: dayOf(20) };
  expect(await reminderResults(pool, asked)).toMatchObject({
    reminded: 2,
    paid: 1,
    paid_within: [
      { days: 1, paid: 0, of: 2 },
      { days: 3, paid: 1, of: 2 },
      { days: 7, paid: 1, of: 2 },
    ],
  });

  const others = Array.from({ length: 1_000 }, () => crypto.randomUUID());
  for (let day = 1; day <= 4; day += 1)
    await insertReminders(seller_id, "accepted", others, dayOf(day));
  await pool.query("vacuum analyze message, reminder, payment");
  const counts = await countPagesRead(pool, (database) => reminderResults(database, asked));
  expect(counts.at(-1)).toBeLessThan(2_500);
});
