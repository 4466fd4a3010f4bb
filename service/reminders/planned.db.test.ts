import { describe, expect, it } from "vitest";
import { PlannedReminders, ReminderHold, ReminderPreview } from "#contract/reminders.ts";
import type { Endpoint } from "../testing/endpoint.ts";
import {
  askAccount,
  reminderStep as step,
  reminderText as textOf,
  REMINDERS_URL as URL_OF,
  runReminderWork,
} from "../testing/reminders/schedule.ts";
import { openReminders } from "../testing/reminders/open.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken, type TestRequest, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const open = (steps: object[], changes: object = {}) => openReminders(service, steps, changes);
const ask = (owner: TestSeller, method: TestRequest["method"], url: string, payload?: object) =>
  askAccount(service, owner, method, url, payload);
const work = (gateway: Endpoint, moment?: string) => runReminderWork(service, gateway, moment);

const plannedOn = async (owner: TestSeller, day = "") =>
  PlannedReminders.parse((await ask(owner, "GET", `${URL_OF}/planned/${day}`)).json());

// A subscription paid on 10 March is billed on 10 April.
describe("a planned reminder", () => {
  it("can be listed, held and sent at once by its own seller only", async () => {
    const { gateway, api, owner, stepId } = await open([step("before", { days: 3 })]);
    const id = await api.createActive();
    await api.createActive(api.periods.monthly, { phone: "9800000002" });
    expect(await plannedOn(owner, "?day=2026-04-07")).toMatchObject({
      count: 2,
      results: [{ state: "planned", channel: "sms" }, { state: "planned" }],
    });
    const hold = ReminderHold.parse(
      (
        await ask(owner, "POST", `${URL_OF}/holds/`, {
          subscription_id: id,
          until: "2026-04-08",
        })
      ).json(),
    );
    expect(await plannedOn(owner, "?day=2026-04-07")).toMatchObject({ count: 1 });
    expect(await work(gateway, "2026-04-07T06:20:00Z")).toHaveLength(1);
    expect(await plannedOn(owner)).toMatchObject({
      count: 1,
      results: [{ state: "accepted", message_id: expect.any(String) }],
    });
    const now = { subscription_id: id, step_id: stepId };
    expect((await ask(owner, "POST", `${URL_OF}/holds/${hold.id}/remove/`)).statusCode).toBe(
      200,
    );
    expect((await ask(owner, "POST", `${URL_OF}/send/`, now)).statusCode).toBe(201);
    expect(await work(gateway)).toHaveLength(1);
    expect((await ask(owner, "POST", `${URL_OF}/send/`, now)).statusCode).toBe(400);
    const others = await SellerApi.open(service);
    const other = await withAccountToken(service, others.seller);
    expect((await ask(other, "POST", `${URL_OF}/send/`, now)).statusCode).toBe(404);
    const theirs = { subscription_id: id, until: "2026-05-08" };
    expect((await ask(other, "POST", `${URL_OF}/holds/`, theirs)).statusCode).toBe(404);
    const { subscription_id } = await others.create();
    for (const step_id of [stepId, 2_000_000_000])
      expect(
        (await ask(other, "POST", `${URL_OF}/holds/`, { subscription_id, step_id })).statusCode,
      ).toBe(404);
    expect(await plannedOn(other)).toMatchObject({ count: 0, results: [] });
  });

  it("appears once in the paged list, both before and after other reminders of the day were sent", async () => {
    const { gateway, api, owner } = await open([
      step("before", { days: 3 }),
      step("before", { days: 3, time: "15:00" }),
    ]);
    for (let index = 1; index <= 3; index += 1)
      await api.createActive(api.periods.monthly, { phone: `980000000${index}` });
    const day = "day=2026-04-07";
    const listAll = async () => {
      const rows: string[] = [];
      let query: string | null = "";
      while (query !== null) {
        const page = await plannedOn(owner, `?${day}&page_size=2${query}`);
        expect([page.count, page.held]).toEqual([6, 0]);
        rows.push(...page.results.map((row) => `${row.step_id} ${row.subscription_id}`));
        query = page.next_after === null ? null : `&after=${page.next_after}`;
      }
      return rows;
    };
    const before = await listAll();
    expect([before.length, new Set(before).size]).toEqual([6, 6]);
    expect(await work(gateway, "2026-04-07T06:20:00Z")).toHaveLength(3);
    const after = await listAll();
    expect(after.toSorted()).toEqual(before.toSorted());
    const wrong = await ask(owner, "GET", `${URL_OF}/planned/?after=1_2_three`);
    expect(wrong.statusCode).toBe(400);
  });

  it("can be held for one step of the current billing period, but not beyond the period", async () => {
    const { gateway, api, owner, stepId } = await open([step("after", { days: 1 })]);
    const id = await api.createActive();
    const hold = { subscription_id: id, step_id: stepId };
    expect((await ask(owner, "POST", `${URL_OF}/holds/`, hold)).statusCode).toBe(201);
    expect(await work(gateway, "2026-04-11T07:00:00Z")).toEqual([]);
    expect(await api.pay(id)).toBe("paid");
    expect(await work(gateway, "2026-05-11T07:00:00Z")).toHaveLength(1);
  });

  it("that is held twice for one step has one hold, and is sent when it is removed", async () => {
    const { gateway, api, owner, stepId } = await open([step("after", { days: 1 })]);
    const id = await api.createActive();
    const hold = async () => {
      const payload = { subscription_id: id, step_id: stepId };
      return ReminderHold.parse((await ask(owner, "POST", `${URL_OF}/holds/`, payload)).json());
    };
    const [first, second] = await Promise.all([hold(), hold()]);
    expect((await hold()).id).toBe(first.id);
    expect(second.id).toBe(first.id);
    await ask(owner, "POST", `${URL_OF}/holds/${first.id}/remove/`);
    expect(await work(gateway, "2026-04-11T07:00:00Z")).toHaveLength(1);
  });

  it("that is held until a later day is sent after a renewal if the hold covers only one billing period", async () => {
    const { gateway, api, owner } = await open([step("after", { days: 1 })]);
    const id = await api.createActive();
    const hold = { subscription_id: id, until: "2026-07-01", only_this_period: true };
    expect((await ask(owner, "POST", `${URL_OF}/holds/`, hold)).statusCode).toBe(201);
    expect(await work(gateway, "2026-04-11T07:00:00Z")).toEqual([]);
    expect(await api.pay(id)).toBe("paid");
    expect(await work(gateway, "2026-05-11T07:00:00Z")).toHaveLength(1);
  });

  it("has a list of its subscription's holds, which only its own seller can read", async () => {
    const { api, owner, stepId } = await open([step("on_day")]);
    const id = await api.createActive();
    for (const what of [{ until: "2026-05-01" }, { until: "2026-05-02" }, { step_id: stepId }])
      await ask(owner, "POST", `${URL_OF}/holds/`, { subscription_id: id, ...what });
    const listed = async (who: TestSeller) =>
      (await ask(who, "GET", `${URL_OF}/holds/?subscription_id=${id}`)).json();
    expect(await listed(owner)).toMatchObject({
      results: [
        { until: null, step_id: stepId, only_this_period: true },
        { until: "2026-05-02", step_id: null, only_this_period: false },
      ],
    });
    const other = await withAccountToken(service, (await SellerApi.open(service)).seller);
    expect(await listed(other)).toEqual({ results: [] });
  });

  it("that is queued and then held is listed as held, and is withdrawn instead of sent", async () => {
    const { gateway, api, owner, stepId } = await open([step("before", { days: 40 })]);
    const now = { subscription_id: await api.createActive(), step_id: stepId };
    expect((await ask(owner, "POST", `${URL_OF}/send/`, now)).statusCode).toBe(201);
    expect(await plannedOn(owner)).toMatchObject({ count: 1, results: [{ state: "queued" }] });
    expect((await ask(owner, "POST", `${URL_OF}/holds/`, now)).statusCode).toBe(201);
    expect(await plannedOn(owner)).toMatchObject({
      count: 0,
      results: [{ state: "held", hold_id: expect.any(Number) }],
    });
    expect(await work(gateway)).toEqual([]);
    expect(await plannedOn(owner)).toMatchObject({
      results: [{ state: "withdrawn", error: "Its reminders are held." }],
    });
  });

  it("is previewed with a real buyer's name, sending time and amount", async () => {
    const { api, owner } = await open([step("on_day")]);
    await api.createActive();
    const draft = {
      steps: [step("before", { days: 2, texts: [textOf("{name} {pay_to} {link} {stop}")] })],
    };
    const answer = await ask(owner, "POST", `${URL_OF}/preview/`, draft);
    expect(ReminderPreview.parse(answer.json()).results).toMatchObject([
      {
        step: 0,
        full_name: "Asmita Rai",
        at: "2026-04-08T06:15:00.000Z",
        channel: "sms",
        amount: "1130.00",
      },
    ]);
  });

  it.each([
    [
      { steps: [step("on_day", { texts: [textOf("{nmae} {link}")] })] },
      /no placeholder \{nmae\}/,
    ],
    [{ steps: [step("on_day", { texts: [textOf("Pay!")] })] }, /Add \{link\}/],
    [{ steps: [step("on_day", { time: "21:00" })] }, /quiet hours/],
    [{ steps: [step("before")] }, /days/],
    [{ steps: [step("on_day"), step("on_day")] }, /same time/],
    [{ language: "ne", steps: [step("on_day")] }, /schedule's language/],
  ])(
    "cannot have an invalid step or language: the schedule refuses example %# with an explanation",
    async (change, words) => {
      const api = await SellerApi.open(service);
      const owner = await withAccountToken(service, api.seller);
      const answer = await ask(owner, "PATCH", `${URL_OF}/schedule/`, {
        version: null,
        ...change,
      });
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringMatching(words)]);
    },
  );

  it("belongs to a schedule that answers 409 to a change of an outdated version", async () => {
    const { owner } = await open([step("on_day")]);
    const change = { version: null, is_on: false };
    expect((await ask(owner, "PATCH", `${URL_OF}/schedule/`, change)).statusCode).toBe(409);
  });
});
