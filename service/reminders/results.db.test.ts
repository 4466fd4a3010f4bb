import { expect, it } from "vitest";
import { ScheduleResults } from "#contract/reminders.ts";
import {
  askAccount,
  reminderStep as step,
  REMINDERS_URL as URL_OF,
  runReminderWork,
} from "../testing/reminders/schedule.ts";
import { openReminders } from "../testing/reminders/open.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

const resultsOf = async (owner: TestSeller) =>
  ScheduleResults.parse(
    (await askAccount(service, owner, "GET", `${URL_OF}/results/?from=2026-03-01`)).json(),
  );

// Subscriptions paid on 10 March are billed on 10 April.
it("counts reminders, and the buyers who paid within days after the last one", async () => {
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
