import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Desk } from "../testing/desk.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

describe("cancel", () => {
  it("Spec, Transitions, active + cancel: schedules the end and keeps the billing date", async () => {
    const desk = await Desk.open(service);
    const id = await desk.createActive();
    const before = await desk.read(id);
    await desk.cancel(id);
    expect(await desk.read(id)).toEqual({
      ...before,
      status: "pending_cancellation",
      is_active: false,
    });
  });

  it("Spec, Events: announces the old and the new status", async () => {
    const desk = await Desk.open(service);
    const id = await desk.createActive();
    await desk.cancel(id);
    expect((await desk.events(id)).at(-1)).toBe(
      "subscription.status_changed: active > pending_cancellation (cancel)",
    );
  });

  it("Spec, Transitions, end of period: is cancelled when the period ends, and bills no more", async () => {
    const desk = await Desk.open(service);
    const id = await desk.createActive();
    const { current_period_start } = await desk.read(id);
    await desk.cancel(id);
    await desk.wait(31);
    expect((await desk.read(id)).status).toBe("pending_cancellation");
    await desk.wait(1);
    // B, next_billing_cycle after cancel: null once cancelled; the start tells it from a one-time purchase.
    expect(await desk.read(id)).toMatchObject({
      status: "cancelled",
      next_billing_cycle: null,
      current_period_end: null,
      current_period_start,
    });
    expect((await desk.events(id)).at(-1)).toBe(
      "subscription.status_changed: pending_cancellation > cancelled (period_ended)",
    );
  });

  it("Spec, POST cancel: takes no body, with or without a content type", async () => {
    const desk = await Desk.open(service);
    const id = await desk.createActive();
    const url = `/api/v1/subscriptions/${id}/cancel/`;
    const bare = await desk.call({ method: "POST", url });
    expect([bare.statusCode, Object.keys(bare.json())]).toEqual([200, ["message"]]);
    const typed = await desk.post(url, {});
    expect(typed.statusCode).toBe(200);
  });

  it("B, Cancel in other states: cancelling twice is 200, changes nothing and announces nothing", async () => {
    const desk = await Desk.open(service);
    const id = await desk.createActive();
    await desk.cancel(id);
    const [record, events] = [await desk.read(id), await desk.events(id)];
    await desk.cancel(id);
    expect([await desk.read(id), await desk.events(id)]).toEqual([record, events]);
  });

  const states: Record<string, (desk: Desk) => Promise<string>> = {
    pending_checkout: async (desk) => (await desk.create()).subscription_id,
    due: async (desk) => {
      const id = await desk.createActive();
      await desk.wait(32);
      return id;
    },
    inactive: async (desk) => {
      const id = await desk.createActive();
      await desk.wait(50);
      return id;
    },
    cancelled: async (desk) => {
      const id = await desk.createActive();
      await desk.cancel(id);
      await desk.wait(40);
      return id;
    },
  };
  it.each(Object.keys(states))(
    "B, Cancel in other states: %s is 400 with a detail",
    async (status) => {
      const desk = await Desk.open(service);
      const id = (await states[status]?.(desk)) ?? "";
      const record = await desk.read(id);
      expect(record.status).toBe(status);
      const answer = await desk.requestCancel(id);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ detail: expect.stringContaining(status) });
      expect(await desk.read(id)).toEqual(record);
    },
  );

  it("Spec, Other rules 2; B, Refusal for one-time: 400 with a detail", async () => {
    const desk = await Desk.open(service);
    const id = await desk.createActive(desk.periods.once);
    const answer = await desk.requestCancel(id);
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["detail"]]);
    expect((await desk.read(id)).status).toBe("active");
  });

  it("B, Not found: unknown, foreign and malformed ids get the same 404", async () => {
    const desk = await Desk.open(service);
    const other = await Desk.open(service);
    const foreign = await other.createActive();
    for (const id of [randomUUID(), foreign, "7", "x"]) {
      const answer = await desk.requestCancel(id);
      expect([answer.statusCode, answer.json()]).toEqual([404, { detail: "Not found." }]);
    }
    expect((await other.read(foreign)).status).toBe("active");
  });

  it("Spec, Transitions: a date that has passed makes it due first, even before any sweep", async () => {
    const desk = await Desk.open(service);
    const id = await desk.createActive();
    service.clock.set("2026-04-11T06:00:00Z");
    expect((await desk.read(id)).status).toBe("active");
    const answer = await desk.requestCancel(id);
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { detail: "A subscription that is due cannot be cancelled." },
    ]);
    // The refusal undoes only itself: what time has done is kept.
    expect((await desk.read(id)).status).toBe("due");
  });

  it("Spec, Transitions, active + cancel: of twenty at once one changes it and all succeed", async () => {
    const desk = await Desk.open(service);
    const id = await desk.createActive();
    const answers = await Promise.all(Array.from({ length: 20 }, () => desk.requestCancel(id)));
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    expect((await desk.events(id)).filter((event) => event.endsWith("(cancel)"))).toHaveLength(
      1,
    );
  });
});
