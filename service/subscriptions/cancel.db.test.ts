import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

describe("cancelling a subscription", () => {
  it("Spec, Transitions, active + cancel: sets the status pending_cancellation and keeps the billing date", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const before = await api.read(id);
    await api.cancel(id);
    expect(await api.read(id)).toEqual({
      ...before,
      status: "pending_cancellation",
      is_active: false,
    });
  });

  it("Spec, Events: sends an event with the old and the new status", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await api.cancel(id);
    expect((await api.events(id)).at(-1)).toBe(
      "subscription.status_changed: active > pending_cancellation (cancel)",
    );
  });

  it("Spec, Transitions, end of period: takes effect when the billing period ends, and clears the billing date", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const { current_period_start } = await api.read(id);
    await api.cancel(id);
    await api.wait(31);
    expect((await api.read(id)).status).toBe("pending_cancellation");
    await api.wait(1);
    // Spec choice, date after a cancellation: null once cancelled; the start distinguishes it
    // from a one-time purchase.
    expect(await api.read(id)).toMatchObject({
      status: "cancelled",
      next_billing_cycle: null,
      current_period_end: null,
      current_period_start,
    });
    expect((await api.events(id)).at(-1)).toBe(
      "subscription.status_changed: pending_cancellation > cancelled (period_ended)",
    );
  });

  it("Spec, POST cancel: accepts a request without a body or with an empty JSON object", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const url = `/api/v1/subscriptions/${id}/cancel/`;
    const bare = await api.call({ method: "POST", url });
    expect([bare.statusCode, Object.keys(bare.json())]).toEqual([200, ["message"]]);
    const typed = await api.post(url, {});
    expect(typed.statusCode).toBe(200);
  });

  it("Spec choice, repeated cancel: a second time answers 200 without a change or an event", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await api.cancel(id);
    const [record, events] = [await api.read(id), await api.events(id)];
    await api.cancel(id);
    expect([await api.read(id), await api.events(id)]).toEqual([record, events]);
  });

  const states: Record<string, (api: SellerApi) => Promise<string>> = {
    pending_checkout: async (api) => (await api.create()).subscription_id,
    due: async (api) => {
      const id = await api.createActive();
      await api.wait(32);
      return id;
    },
    inactive: async (api) => {
      const id = await api.createActive();
      await api.wait(50);
      return id;
    },
    cancelled: async (api) => {
      const id = await api.createActive();
      await api.cancel(id);
      await api.wait(40);
      return id;
    },
  };
  it.each(Object.keys(states))(
    "Spec choice, repeated cancel: answers 400 with a detail if the status is %s",
    async (status) => {
      const api = await SellerApi.open(service);
      const id = (await states[status]?.(api)) ?? "";
      const record = await api.read(id);
      expect(record.status).toBe(status);
      const answer = await api.requestCancel(id);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ detail: expect.stringContaining(status) });
      expect(await api.read(id)).toEqual(record);
    },
  );

  it("Spec, Other rules 2; choice, verbs on one-time purchases: answers 400 with a detail for a one-time purchase", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive(api.periods.once);
    const answer = await api.requestCancel(id);
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["detail"]]);
    expect((await api.read(id)).status).toBe("active");
  });

  it("Spec choice, not found: unknown IDs, malformed IDs and another seller's IDs get the same 404", async () => {
    const api = await SellerApi.open(service);
    const other = await SellerApi.open(service);
    const foreign = await other.createActive();
    for (const id of [randomUUID(), foreign, "7", "x"]) {
      const answer = await api.requestCancel(id);
      expect([answer.statusCode, answer.json()]).toEqual([404, { detail: "Not found." }]);
    }
    expect((await other.read(foreign)).status).toBe("active");
  });

  it("Spec, Transitions: is refused if the billing date has passed, and the subscription becomes due", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    service.clock.set("2026-04-11T06:00:00Z");
    expect((await api.read(id)).status).toBe("active");
    const answer = await api.requestCancel(id);
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { detail: "A subscription that is due cannot be cancelled." },
    ]);
    // A refusal undoes only its own change: time-based changes are kept.
    expect((await api.read(id)).status).toBe("due");
  });

  it("Spec, Transitions, active + cancel: twenty concurrent requests answer 200 and cause one event", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.requestCancel(id)));
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    expect((await api.events(id)).filter((event) => event.endsWith("(cancel)"))).toHaveLength(
      1,
    );
  });
});
