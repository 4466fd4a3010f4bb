import { describe, expect, it } from "vitest";
import { ChannelSetup, type MessagePage } from "#contract/messages.ts";
import { OptOutPage, ReminderSchedule } from "#contract/reminders.ts";
import { whatsAppSignature } from "../messages/channels/whatsapp.ts";
import type { Endpoint } from "../testing/endpoint.ts";
import {
  askAccount,
  reminderStep as step,
  reminderText as textOf,
  REMINDERS_URL as URL_OF,
  runReminderWork,
} from "../testing/reminders/schedule.ts";
import { openReminders } from "../testing/reminders/open.ts";
import type { TestRequest, TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { planReminders } from "./planner.ts";

const service = useTestService();
const open = (steps: object[], changes: object = {}) => openReminders(service, steps, changes);
const ask = (owner: TestSeller, method: TestRequest["method"], url: string, payload?: object) =>
  askAccount(service, owner, method, url, payload);
const work = (gateway: Endpoint, moment?: string) => runReminderWork(service, gateway, moment);

const remindersOf = async (owner: TestSeller) =>
  (await ask(owner, "GET", "/account/v1/messages/?kind=reminder")).json<MessagePage>().results;

// A subscription paid on 10 March is billed on 10 April.
describe("a step of the reminder schedule", () => {
  it("sends a reminder on its day to a buyer who has not paid, with the amount to pay", async () => {
    const { gateway, api } = await open([
      step("before", { days: 3 }),
      step("on_day"),
      step("after", { days: 2 }),
      step("last_day"),
    ]);
    await api.createActive();
    const found: string[] = [];
    for (let day = 5; day <= 20; day += 1) {
      const date = `2026-04-${String(day).padStart(2, "0")}`;
      for (const time of ["05:00", "06:20", "12:00"])
        for (const text of await work(gateway, `${date}T${time}:00Z`))
          found.push(`${date} ${time} ${text.split(" http")[0]}`);
    }
    expect(found).toEqual([
      "2026-04-07 06:20 before: NPR 1,130.00 3 days",
      "2026-04-10 06:20 on_day: NPR 1,130.00 less than a day",
      "2026-04-12 06:20 after: NPR 1,130.00 5 days",
      "2026-04-17 06:20 last_day: NPR 1,130.00 less than a day",
    ]);
  });

  it("sends no reminder to a buyer who paid after the reminder was planned", async () => {
    const { gateway, api, owner } = await open([step("after", { days: 1 })]);
    const id = await api.createActive();
    service.clock.set("2026-04-11T06:20:00Z");
    await planReminders(service.context);
    expect(await remindersOf(owner)).toHaveLength(1);
    expect(await api.pay(id)).toBe("paid");
    expect(await work(gateway)).toEqual([]);
    expect(await remindersOf(owner)).toMatchObject([
      { state: "withdrawn", error: expect.stringMatching(/paid/) },
    ]);
  });

  it("sends no reminder while a recorded payment awaits approval, until the payment is declined", async () => {
    const { gateway, api, owner } = await open([step("after", { days: 1 })]);
    const id = await api.createActive();
    const { version } = (await ask(owner, "GET", "/account/v1/profile/")).json<{
      version: string;
    }>();
    const limit = { version, approve_payments_above: "0.00" };
    expect((await ask(owner, "PATCH", "/account/v1/profile/", limit)).statusCode).toBe(200);
    service.clock.set("2026-04-11T06:20:00Z");
    const { next_billing_cycle: period_start } = await api.read(id);
    const paid = {
      amount: "1130.00",
      period_start,
      method: "cash",
      reference: "",
      received_on: "2026-04-11",
      by: { id: "1", name: "Sita Rai" },
    };
    const address = `/account/v1/subscriptions/${id}/payments/`;
    const recorded = await ask(owner, "POST", address, paid);
    expect([recorded.statusCode, recorded.json()]).toEqual([
      201,
      expect.objectContaining({ state: "waiting" }),
    ]);
    expect(await work(gateway)).toEqual([]);
    expect(await remindersOf(owner)).toMatchObject([{ state: "queued" }]);
    const { id: recorded_id } = recorded.json<{ id: string }>();
    const declined = { by: { id: "2", name: "Hari Thapa" }, reason: "It was not cash." };
    const decline = `/account/v1/recorded-payments/${recorded_id}/decline/`;
    expect((await ask(owner, "POST", decline, declined)).statusCode).toBe(200);
    expect(await work(gateway, "2026-04-11T07:00:00Z")).toHaveLength(1);
  });

  it("sends a reminder after a pause of the worker only if no later step of that day is due", async () => {
    const { gateway, api } = await open([
      step("on_day", { time: "09:00" }),
      step("before", { days: 1 }),
      step("on_day", { time: "11:00", texts: [textOf("later {link}")] }),
    ]);
    await api.createActive();
    expect(await work(gateway, "2026-04-10T08:00:00Z")).toMatchObject([
      expect.stringMatching(/^later/),
    ]);
    expect(await work(gateway, "2026-04-10T09:00:00Z")).toEqual([]);
  });

  it("sends no reminder for a billing date before the schedule was switched on", async () => {
    const { gateway, api, owner, schedule } = await open([step("after", { days: 2 })]);
    await api.createActive();
    const url = `${URL_OF}/schedule/`;
    const off = await ask(owner, "PATCH", url, { version: schedule.version, is_on: false });
    service.clock.set("2026-04-11T06:00:00Z");
    const { version } = ReminderSchedule.parse(off.json());
    await ask(owner, "PATCH", url, { version, is_on: true });
    expect(await work(gateway, "2026-04-12T07:00:00Z")).toEqual([]);
  });

  it("sends its reminder once, on the next allowed weekday", async () => {
    // 10 April 2026 is a Friday.
    const { gateway, api } = await open([step("on_day")], { weekdays: [1, 2, 3, 4, 7] });
    await api.createActive();
    expect(await work(gateway, "2026-04-10T07:00:00Z")).toEqual([]);
    expect(await work(gateway, "2026-04-11T07:00:00Z")).toEqual([]);
    expect(await work(gateway, "2026-04-12T07:00:00Z")).toHaveLength(1);
    expect(await work(gateway, "2026-04-13T07:00:00Z")).toEqual([]);
  });

  it("waits during quiet hours, and sends the reminder when the quiet hours end", async () => {
    const { gateway, api } = await open([step("on_day", { time: "19:00" })]);
    await api.createActive();
    service.clock.set("2026-04-10T13:20:00Z");
    await planReminders(service.context);
    expect(await work(gateway, "2026-04-10T14:30:00Z")).toEqual([]);
    expect(await work(gateway, "2026-04-11T02:14:00Z")).toEqual([]);
    expect(await work(gateway, "2026-04-11T02:16:00Z")).toHaveLength(1);
  });

  it("reminds a buyer whose name is in Devanagari with the Nepali text", async () => {
    const texts = [textOf("EN {link}"), textOf("NE {amount} {link}", "ne")];
    const { gateway, api } = await open([step("on_day", { texts })]);
    const client = { full_name: "सरस्वती राई", phone: "9800000002" };
    const { subscription_id: id } = await api.create(api.periods.monthly, client);
    await service.call(null, { url: `/pay/${id}` });
    await service.pool.query(
      `update subscription set status = 'active', next_billing_cycle = '2026-03-11T06:15:00Z',
         current_period_start = now(), anchor_day = 11 where subscription_id = $1`,
      [id],
    );
    expect(await work(gateway, "2026-03-11T07:00:00Z")).toEqual([
      expect.stringMatching(/^NE रु १,१३०\.०० http[^\n]+\nसम्झना नपठाउन: http/),
    ]);
  });

  it("reminds one buyer at most as often per week as the schedule allows", async () => {
    const steps = [1, 2, 3, 4].map((days) => step("after", { days }));
    const { gateway, api } = await open(steps, { most_a_week: 2 });
    await api.createActive();
    let sent = 0;
    for (const day of [11, 12, 13, 14])
      sent += (await work(gateway, `2026-04-${day}T07:00:00Z`)).length;
    expect(sent).toBe(2);
  });

  it("sends no reminder while the seller's account is suspended", async () => {
    const { gateway, api } = await open([step("on_day")]);
    await api.createActive();
    service.clock.set("2026-04-10T07:00:00Z");
    await planReminders(service.context);
    await service.pool.query("update seller set kyc_verified = false where seller_id = $1", [
      api.seller.seller_id,
    ]);
    expect(await work(gateway)).toEqual([]);
  });
});

describe("a checkout that the buyer left unpaid", () => {
  it("causes one reminder, two hours after the buyer's last visit", async () => {
    const left = { kind: "checkout_left", hours: 2, texts: [textOf("left {name} {link}")] };
    const { gateway, api } = await open([left]);
    const { subscription_id: id } = await api.create();
    const other = await api.create(api.periods.monthly, { phone: "9800000009" });
    expect(await work(gateway, "2026-03-10T07:59:00Z")).toEqual([]);
    await service.pool.query(
      "update subscription set checkout_activity_at = $2 where subscription_id = $1",
      [other.subscription_id, service.clock.now()],
    );
    expect(await work(gateway, "2026-03-10T08:01:00Z")).toEqual([
      expect.stringContaining(`/pay/${id}`),
    ]);
    expect(await work(gateway, "2026-03-10T09:30:00Z")).toEqual([]);
    expect(await work(gateway, "2026-03-10T10:00:00Z")).toHaveLength(1);
  });
});

describe("opting out of reminders", () => {
  it("works by a mail program's one-click unsubscribe, and can be undone on the opt-out page", async () => {
    const { gateway, api, owner } = await open([
      step("on_day"),
      step("after", { days: 1 }),
      step("after", { days: 2 }),
    ]);
    await api.createActive();
    const [text = ""] = await work(gateway, "2026-04-10T07:00:00Z");
    const [, page = ""] =
      /No more reminders: http:\/\/billing\.test(\/stop\/\S+)/.exec(text) ?? [];
    expect(page).toMatch(/^\/stop\/[\w-]{22}$/);
    const shown = await service.call(null, { url: `${page}?lang=ne` });
    expect([shown.statusCode, shown.body]).toEqual([
      200,
      expect.stringContaining("सम्झना रोक्नुहोस्"),
    ]);
    expect(shown.body).not.toMatch(/<script|Asmita|98000/);
    const post = (payload: string) =>
      service.call(null, {
        method: "POST",
        url: page,
        payload,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    expect((await post("List-Unsubscribe=One-Click")).statusCode).toBe(200);
    const list = async () =>
      OptOutPage.parse((await ask(owner, "GET", `${URL_OF}/opt-outs/`)).json()).results;
    expect(await list()).toMatchObject([{ phone: "9800000001" }]);
    expect(await work(gateway, "2026-04-11T07:00:00Z")).toEqual([]);
    expect((await post("choice=resume")).body).toContain("Stop reminders");
    expect(await list()).toEqual([]);
    expect(await work(gateway, "2026-04-12T07:00:00Z")).toHaveLength(1);
  });

  it("works by replying STOP on WhatsApp, only for the phone number that replies", async () => {
    const { gateway, api, owner } = await open([step("on_day"), step("after", { days: 1 })]);
    const settings = {
      phoneNumberId: "106540352242922",
      accessToken: "access",
      appSecret: "app-secret",
      verifyToken: "verify",
    };
    const set = await ask(owner, "POST", "/account/v1/channels/whatsapp/", {
      provider: "whatsapp_cloud",
      settings,
      version: null,
      per_minute: 60,
    });
    expect([set.statusCode, set.body]).toEqual([200, expect.any(String)]);
    const { report_url } = ChannelSetup.parse(set.json());
    const say = (body: string, from: string) => {
      const value = {
        metadata: { phone_number_id: settings.phoneNumberId },
        messages: [{ from, type: "text", text: { body } }],
      };
      const payload = JSON.stringify({ entry: [{ changes: [{ value }] }] });
      const signature = whatsAppSignature(settings.appSecret, payload);
      return service.call(null, {
        method: "POST",
        url: new URL(report_url).pathname,
        payload,
        headers: { "content-type": "application/json", "x-hub-signature-256": signature },
      });
    };
    await api.createActive();
    expect(await work(gateway, "2026-04-10T07:00:00Z")).toHaveLength(1);
    expect((await say("STOP", "9779800000099")).statusCode).toBe(204);
    const stopped = async () =>
      OptOutPage.parse((await ask(owner, "GET", `${URL_OF}/opt-outs/`)).json()).results;
    expect(await stopped()).toEqual([]);
    expect((await say("Stop", "9779800000001")).statusCode).toBe(204);
    expect(await stopped()).toMatchObject([{ phone: "9800000001" }]);
    expect(await work(gateway, "2026-04-11T07:00:00Z")).toEqual([]);
  });

  it.each(["/stop/AAAAAAAAAAAAAAAAAAAAAA", "/stop/%00", "/stop/a%20b"])(
    "has no page at the guessed URL %s",
    async (url) => {
      for (const method of ["GET", "POST"] as const)
        expect((await service.call(null, { method, url })).statusCode).toBe(404);
    },
  );
});

it("moving the sandbox clock to a reminder's time queues the reminder, and the worker sends it", async () => {
  const { gateway, api, owner } = await open([step("on_day")]);
  await api.createActive();
  const moved = await api.post("/sandbox/clock/advance/", { to: "2026-04-10T07:00:00Z" });
  expect(moved.statusCode).toBe(200);
  expect(await remindersOf(owner)).toHaveLength(1);
  expect(await work(gateway)).toHaveLength(1);
});
