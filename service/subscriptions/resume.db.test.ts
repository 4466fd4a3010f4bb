import { describe, expect, it } from "vitest";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

async function openCancelled() {
  const api = await SellerApi.open(service);
  const id = await api.createActive();
  await api.cancel(id);
  return { api, id };
}

describe("resume", () => {
  it("Spec, Transitions, pending_cancellation + resume: is active again with its dates", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const before = await api.read(id);
    await api.cancel(id);
    await api.resume(id);
    expect(await api.read(id)).toEqual(before);
    expect((await api.events(id)).at(-1)).toBe(
      "subscription.status_changed: pending_cancellation > active (resume)",
    );
  });

  it("Spec, Transitions, active + resume: 200, unchanged; A: no event", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const [record, events] = [await api.read(id), await api.events(id)];
    await api.resume(id);
    expect([await api.read(id), await api.events(id)]).toEqual([record, events]);
  });

  it("Spec, Transitions: on the last day of the period it is still in time", async () => {
    const { api, id } = await openCancelled();
    // The period ends on 10 April; there the day is over at 18:15 UTC.
    service.clock.set("2026-04-10T18:14:59Z");
    await api.resume(id);
    expect((await api.read(id)).status).toBe("active");
  });

  it("judged by the time of the request, too late is refused although no sweep ran", async () => {
    const { api, id } = await openCancelled();
    service.clock.set("2026-04-10T18:15:00Z");
    expect((await api.read(id)).status).toBe("pending_cancellation");
    const answer = await api.requestResume(id);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().detail).toContain("new subscription");
    expect((await api.read(id)).status).toBe("cancelled");
  });

  it("Spec, Other rules 1; choice, nothing to resume: cancelled is 400 and names the way on", async () => {
    const { api, id } = await openCancelled();
    await api.wait(40);
    const answer = await api.requestResume(id);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ detail: expect.stringContaining("new subscription") });
    expect((await api.read(id)).status).toBe("cancelled");
  });

  it.each([
    ["pending_checkout", 0],
    ["due", 35],
    ["inactive", 50],
  ])("Spec choice, nothing to resume: %s is 400 with a detail", async (status, days) => {
    const api = await SellerApi.open(service);
    const id = days === 0 ? (await api.create()).subscription_id : await api.createActive();
    await api.wait(days);
    expect((await api.read(id)).status).toBe(status);
    const answer = await api.requestResume(id);
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["detail"]]);
  });

  it("Spec choice, verbs on one-time purchases: 400 with a detail", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive(api.periods.once);
    const answer = await api.requestResume(id);
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["detail"]]);
  });

  it("Spec choice, not found: another seller's id is 404 and stays as it is", async () => {
    const { api, id } = await openCancelled();
    const other = await SellerApi.open(service);
    const answer = await other.requestResume(id);
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail: "Not found." }]);
    expect((await api.read(id)).status).toBe("pending_cancellation");
  });

  it("Spec, Errors, duplicate: is refused while the buyer has bought the same period anew", async () => {
    const { api, id } = await openCancelled();
    const second = await api.createActive();
    const answer = await api.requestResume(id);
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["detail"]]);
    expect((await api.read(id)).status).toBe("pending_cancellation");
    expect((await api.read(second)).status).toBe("active");
  });

  it("Spec, Transitions: a duplicate whose billing date has passed blocks nothing", async () => {
    const { api, id } = await openCancelled();
    const second = await api.createActive();
    await api.reschedule(second, "2026-03-12");
    service.clock.set("2026-03-14T06:00:00Z");
    await api.resume(id);
    expect((await api.read(id)).status).toBe("active");
    expect((await api.read(second)).status).toBe("due");
  });

  it("Spec, Errors, duplicate: resumed and paid for at the same moment, one becomes active", async () => {
    const { api, id } = await openCancelled();
    const second = (await api.create()).subscription_id;
    await Promise.all([api.requestResume(id), api.pay(second)]);
    const active = await api.list("?status=active");
    expect(active.count).toBe(1);
  });
});
