import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Desk } from "../testing/desk.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const URL = "/api/v1/subscriptions/update-billing-cycle/";

async function openActive() {
  const desk = await Desk.open(service);
  return { desk, id: await desk.createActive() };
}

describe("reschedule", () => {
  it("A: moves current_period_end together with next_billing_cycle, and nothing else", async () => {
    const { desk, id } = await openActive();
    const before = await desk.read(id);
    await desk.reschedule(id, "2026-05-20");
    // B, a billing date is noon of the seller's day: 12:00 in Kathmandu.
    const moved = "2026-05-20T06:15:00.000Z";
    expect(await desk.read(id)).toEqual({
      ...before,
      current_period_end: moved,
      next_billing_cycle: moved,
    });
  });

  it("A: announces a change of status although the status stays", async () => {
    const { desk, id } = await openActive();
    await desk.reschedule(id, "2026-05-20");
    expect((await desk.events(id)).at(-1)).toBe(
      "subscription.status_changed: active > active (reschedule)",
    );
  });

  it("A: is no id of a subscription; GET there is a wrong method, not a record", async () => {
    const { desk } = await openActive();
    const answer = await desk.call({ url: URL });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, "POST"]);
  });

  it("B, Month ends: later dates keep to the new day of the month", async () => {
    const { desk, id } = await openActive();
    await desk.reschedule(id, "2026-03-31");
    await desk.wait(22);
    expect(await desk.pay(id)).toBe("paid");
    expect((await desk.read(id)).next_billing_cycle).toBe("2026-04-30T06:15:00.000Z");
    await desk.wait(30);
    expect(await desk.pay(id)).toBe("paid");
    expect((await desk.read(id)).next_billing_cycle).toBe("2026-05-31T06:15:00.000Z");
  });

  it.each([
    ["Asia/Kathmandu", "2026-03-10T18:14:00Z", "2026-03-10", "2026-03-09"],
    ["Asia/Katmandu", "2026-03-10T18:16:00Z", "2026-03-11", "2026-03-10"],
    ["America/Los_Angeles", "2026-03-11T05:00:00Z", "2026-03-10", "2026-03-09"],
    ["+05:45", "2026-03-10T18:16:00Z", "2026-03-11", "2026-03-10"],
  ])(
    "B, Whose today: in %s at %s, %s is today and legal, %s is past",
    async (time_zone, now, today, yesterday) => {
      const desk = await Desk.open(service, { time_zone });
      const id = await desk.createActive();
      service.clock.set(now);
      await desk.reschedule(id, today);
      const answer = await desk.requestReschedule(id, yesterday);
      expect(answer.statusCode).toBe(400);
      // Spec, Errors: an array of messages under this key.
      expect(answer.json()).toEqual({ next_billing_cycle: [expect.any(String)] });
      expect((await desk.read(id)).status).toBe("active");
    },
  );

  it("B, Reschedule in other states: a due one given a later date is active again, not paid", async () => {
    const { desk, id } = await openActive();
    await desk.wait(33);
    expect((await desk.read(id)).status).toBe("due");
    await desk.reschedule(id, "2026-05-01");
    expect(await desk.read(id)).toMatchObject({
      status: "active",
      next_billing_cycle: "2026-05-01T06:15:00.000Z",
    });
    expect((await desk.events(id)).at(-1)).toBe(
      "subscription.status_changed: due > active (reschedule)",
    );
    const { rows } = await service.pool.query(
      "select 1 from payment where subscription_id = $1",
      [id],
    );
    expect(rows).toHaveLength(1);
  });

  const others: Record<string, (desk: Desk) => Promise<string>> = {
    pending_checkout: async (desk) => (await desk.create()).subscription_id,
    pending_cancellation: async (desk) => {
      const id = await desk.createActive();
      await desk.cancel(id);
      return id;
    },
    cancelled: async (desk) => {
      const id = await desk.createActive();
      await desk.cancel(id);
      await desk.wait(40);
      return id;
    },
    inactive: async (desk) => {
      const id = await desk.createActive();
      await desk.wait(50);
      return id;
    },
  };
  it.each(Object.keys(others))(
    "B, Reschedule in other states: %s is 400, one string under subscription_id",
    async (status) => {
      const desk = await Desk.open(service);
      const id = (await others[status]?.(desk)) ?? "";
      const record = await desk.read(id);
      expect(record.status).toBe(status);
      const answer = await desk.requestReschedule(id, "2027-01-01");
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ subscription_id: expect.stringContaining(status) });
      expect(await desk.read(id)).toEqual(record);
    },
  );

  it("B, Refusal for one-time: 400, one string under subscription_id", async () => {
    const desk = await Desk.open(service);
    const id = await desk.createActive(desk.periods.once);
    const answer = await desk.requestReschedule(id, "2027-01-01");
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ subscription_id: expect.stringContaining("one-time") });
  });

  it("Spec, Errors: an unknown, foreign or malformed id is 400, one string under subscription_id", async () => {
    const { desk } = await openActive();
    const other = await openActive();
    const answers = await Promise.all(
      [randomUUID(), other.id, "nothing"].map((id) => desk.requestReschedule(id, "2027-01-01")),
    );
    for (const answer of answers) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ subscription_id: "There is no such subscription." });
    }
  });

  it.each([
    ["2026-02-30", "next_billing_cycle"],
    ["20-03-2026", "next_billing_cycle"],
    ["2026-05-01T00:00:00Z", "next_billing_cycle"],
    ["", "next_billing_cycle"],
    [20260501, "next_billing_cycle"],
    [null, "next_billing_cycle"],
    [undefined, "next_billing_cycle"],
  ])("Spec, update-billing-cycle: the date %s is refused under its key", async (date, key) => {
    const { desk, id } = await openActive();
    const record = await desk.read(id);
    const answer = await desk.post(URL, { subscription_id: id, next_billing_cycle: date });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ [key]: [expect.any(String)] });
    expect(await desk.read(id)).toEqual(record);
  });

  it("Spec, update-billing-cycle: both fields are required, each named", async () => {
    const { desk } = await openActive();
    const answer = await desk.post(URL, {});
    expect(answer.json()).toEqual({
      subscription_id: ["This field is required."],
      next_billing_cycle: ["This field is required."],
    });
  });

  it("Spec, Errors, duplicate: a due one stays due while its twin is active", async () => {
    const { desk, id } = await openActive();
    await desk.wait(33);
    await desk.createActive();
    const answer = await desk.requestReschedule(id, "2026-06-01");
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["subscription_id"]]);
    expect((await desk.read(id)).status).toBe("due");
  });
});
