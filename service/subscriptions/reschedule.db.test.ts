import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const URL = "/api/v1/subscriptions/update-billing-cycle/";

async function openActive() {
  const api = await SellerApi.open(service);
  return { api, id: await api.createActive() };
}

describe("rescheduling a subscription", () => {
  it("changes only current_period_end and next_billing_cycle", async () => {
    const { api, id } = await openActive();
    const before = await api.read(id);
    await api.reschedule(id, "2026-05-20");
    // Spec choice, billing time: noon of the seller's day, here 12:00 in Kathmandu.
    const moved = "2026-05-20T06:15:00.000Z";
    expect(await api.read(id)).toEqual({
      ...before,
      current_period_end: moved,
      next_billing_cycle: moved,
    });
  });

  it("sends subscription.status_changed although the status does not change", async () => {
    const { api, id } = await openActive();
    await api.reschedule(id, "2026-05-20");
    expect((await api.events(id)).at(-1)).toBe(
      "subscription.status_changed: active > active (reschedule)",
    );
  });

  it("answers 405 to a GET, and does not treat update-billing-cycle as a subscription ID", async () => {
    const { api } = await openActive();
    const answer = await api.call({ url: URL });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, "POST"]);
  });

  it("Spec choice, month ends: later billing dates keep the new day of the month, or use the month's last day", async () => {
    const { api, id } = await openActive();
    await api.reschedule(id, "2026-03-31");
    await api.wait(22);
    expect(await api.pay(id)).toBe("paid");
    expect((await api.read(id)).next_billing_cycle).toBe("2026-04-30T06:15:00.000Z");
    await api.wait(30);
    expect(await api.pay(id)).toBe("paid");
    expect((await api.read(id)).next_billing_cycle).toBe("2026-05-31T06:15:00.000Z");
  });

  it.each([
    ["Asia/Kathmandu", "2026-03-10T18:14:00Z", "2026-03-10", "2026-03-09"],
    ["Asia/Katmandu", "2026-03-10T18:16:00Z", "2026-03-11", "2026-03-10"],
    ["America/Los_Angeles", "2026-03-11T05:00:00Z", "2026-03-10", "2026-03-09"],
    ["+05:45", "2026-03-10T18:16:00Z", "2026-03-11", "2026-03-10"],
  ])(
    "Spec choice, time zone of dates: in %s at %s, today's date %s is accepted and yesterday's %s is refused",
    async (time_zone, now, today, yesterday) => {
      const api = await SellerApi.open(service, { time_zone });
      const id = await api.createActive();
      service.clock.set(now);
      await api.reschedule(id, today);
      const answer = await api.requestReschedule(id, yesterday);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ next_billing_cycle: [expect.any(String)] });
      expect((await api.read(id)).status).toBe("active");
    },
  );

  it("Spec choice, reschedule: makes a due subscription active without a payment", async () => {
    const { api, id } = await openActive();
    await api.wait(33);
    expect((await api.read(id)).status).toBe("due");
    await api.reschedule(id, "2026-05-01");
    expect(await api.read(id)).toMatchObject({
      status: "active",
      next_billing_cycle: "2026-05-01T06:15:00.000Z",
    });
    expect((await api.events(id)).at(-1)).toBe(
      "subscription.status_changed: due > active (reschedule)",
    );
    const { rows } = await service.pool.query(
      "select 1 from payment where subscription_id = $1",
      [id],
    );
    expect(rows).toHaveLength(1);
  });

  const others: Record<string, (api: SellerApi) => Promise<string>> = {
    pending_checkout: async (api) => (await api.create()).subscription_id,
    pending_cancellation: async (api) => {
      const id = await api.createActive();
      await api.cancel(id);
      return id;
    },
    cancelled: async (api) => {
      const id = await api.createActive();
      await api.cancel(id);
      await api.wait(40);
      return id;
    },
    inactive: async (api) => {
      const id = await api.createActive();
      await api.wait(50);
      return id;
    },
  };
  it.each(Object.keys(others))(
    "Spec choice, reschedule: answers 400 with one string under subscription_id if the status is %s",
    async (status) => {
      const api = await SellerApi.open(service);
      const id = (await others[status]?.(api)) ?? "";
      const record = await api.read(id);
      expect(record.status).toBe(status);
      const answer = await api.requestReschedule(id, "2027-01-01");
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ subscription_id: expect.stringContaining(status) });
      expect(await api.read(id)).toEqual(record);
    },
  );

  it("Spec choice, verbs on one-time purchases: answers 400 with one string under subscription_id for a one-time purchase", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive(api.periods.once);
    const answer = await api.requestReschedule(id, "2027-01-01");
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ subscription_id: expect.stringContaining("one-time") });
  });

  it("Spec, Errors: answers 400 with an error under subscription_id for an unknown ID, a malformed ID and another seller's ID", async () => {
    const { api } = await openActive();
    const other = await openActive();
    const answers = await Promise.all(
      [randomUUID(), other.id, "nothing"].map((id) => api.requestReschedule(id, "2027-01-01")),
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
  ])(
    "Spec, update-billing-cycle: refuses the date %s with an error under next_billing_cycle",
    async (date, key) => {
      const { api, id } = await openActive();
      const record = await api.read(id);
      const answer = await api.post(URL, { subscription_id: id, next_billing_cycle: date });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ [key]: [expect.any(String)] });
      expect(await api.read(id)).toEqual(record);
    },
  );

  it("Spec, update-billing-cycle: reports subscription_id and next_billing_cycle as required if both are missing", async () => {
    const { api } = await openActive();
    const answer = await api.post(URL, {});
    expect(answer.json()).toEqual({
      subscription_id: ["This field is required."],
      next_billing_cycle: ["This field is required."],
    });
  });

  it("Spec, Errors, duplicate: is refused for a due subscription while the buyer has an active duplicate", async () => {
    const { api, id } = await openActive();
    await api.wait(33);
    await api.createActive();
    const answer = await api.requestReschedule(id, "2026-06-01");
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["subscription_id"]]);
    expect((await api.read(id)).status).toBe("due");
  });
});
