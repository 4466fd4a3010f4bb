import { expect, it } from "vitest";
import { ReminderPreview } from "#contract/reminders.ts";
import { openReminders } from "../testing/reminders/open.ts";
import {
  askAccount,
  reminderStep,
  REMINDERS_URL,
  reminderText as textOf,
  runReminderWork,
} from "../testing/reminders/schedule.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

const HINDI = textOf("हिन्दी: {amount} {date} {days} {link}", "hi");
const TAMANG = textOf("Tamang: {amount} {date} {days} {link}", "taj");
const step = (kind: string, changes: object = {}) =>
  reminderStep(kind, {
    texts: [textOf("English {link}"), textOf("नेपाली {link}", "ne"), HINDI, TAMANG],
    ...changes,
  });

/** A schedule, and a buyer whose language can be chosen. */
async function open(steps: object[], changes: object = {}) {
  const opened = await openReminders(service, steps, changes);
  const { api, owner, gateway } = opened;
  await api.createActive();
  const answer = await service.call(api.seller, { url: "/api/v1/customers/" });
  const [customer] = answer.json<{ results: { id: number }[] }>().results;
  const choose = (language: string | null) =>
    askAccount(service, owner, "POST", `${REMINDERS_URL}/languages/`, {
      customer_id: customer?.id,
      language,
    });
  const preview = async () =>
    ReminderPreview.parse(
      (await askAccount(service, owner, "POST", `${REMINDERS_URL}/preview/`, {})).json(),
    ).results;
  const work = (moment?: string) => runReminderWork(service, gateway, moment);
  return { ...opened, choose, preview, work };
}

it("a reminder is sent in the buyer's chosen language, with the amount and date in that language's format", async () => {
  const { choose, work } = await open([step("on_day"), step("after", { days: 1 })]);
  expect((await choose("HI")).json()).toMatchObject({ language: "hi" });
  expect(await work("2026-04-10T07:00:00Z")).toEqual([
    expect.stringMatching(
      /^हिन्दी: NPR 1,130\.00 10 अप्रैल 2026 0 दिन http.*\nNo more reminders: http/,
    ),
  ]);
  await choose("taj");
  expect(await work("2026-04-11T07:00:00Z")).toEqual([
    expect.stringMatching(/^Tamang: NPR 1,130\.00 10 April 2026 \d+ days http/),
  ]);
});

it("a reminder without a text in the buyer's language uses the schedule's language, as the preview shows", async () => {
  const { choose, preview, work } = await open([step("on_day")], { language: "ne" });
  await choose("mai");
  expect(await preview()).toMatchObject([{ language: "ne", asked_language: "mai" }]);
  expect(await work("2026-04-10T07:00:00Z")).toEqual([
    expect.stringMatching(/^नेपाली http.*\nसम्झना नपठाउन: http/),
  ]);
});

it("the opt-out line below a Hindi reminder text is in the schedule's language", async () => {
  const { choose, preview } = await open([step("on_day")], { language: "ne" });
  await choose("hi");
  expect(await preview()).toMatchObject([
    { language: "hi", asked_language: null, text: expect.stringContaining("सम्झना नपठाउन:") },
  ]);
});

it("a buyer without a chosen language gets the last reminder's language, even after an English receipt", async () => {
  const { api, choose, preview, work } = await open([
    step("before", { days: 1 }),
    step("on_day"),
  ]);
  await choose("hi");
  expect(await work("2026-04-09T07:00:00Z")).toEqual([expect.stringMatching(/^हिन्दी/)]);
  expect((await choose(null)).json()).toMatchObject({ language: null });
  await service.pool.query(
    `insert into message (message_id, seller_id, kind, cause, subscription_id, phone, email, language,
       state, queued_at, state_at, next_at)
     select gen_random_uuid(), seller_id, 'receipt', 'bill:1', subscription_id, phone, email, 'en',
       'accepted', queued_at + interval '1 minute', state_at, next_at
     from message where kind = 'reminder' and seller_id = $1`,
    [api.seller.seller_id],
  );
  expect((await preview()).map(({ language }) => language)).toContain("hi");
});

it("an invalid language tag is refused, and another account's customer is not found", async () => {
  const { choose, owner } = await open([step("on_day")]);
  expect((await choose("maithili")).statusCode).toBe(400);
  expect((await choose("hi-u-nu-deva")).statusCode).toBe(400);
  const other = await open([step("on_day")]);
  const customers = await service.call(other.api.seller, { url: "/api/v1/customers/" });
  const [customer] = customers.json<{ results: { id: number }[] }>().results;
  const body = { customer_id: customer?.id, language: "hi" };
  const answer = await askAccount(service, owner, "POST", `${REMINDERS_URL}/languages/`, body);
  expect(answer.statusCode).toBe(404);
  const read = await askAccount(
    service,
    owner,
    "GET",
    `${REMINDERS_URL}/languages/?customer_id=${customer?.id}`,
  );
  expect(read.statusCode).toBe(404);
});
