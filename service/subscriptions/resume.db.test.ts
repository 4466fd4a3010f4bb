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

describe("resuming a subscription", () => {
  it("Spec, Transitions, pending_cancellation + resume: makes the subscription active with its old dates", async () => {
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

  it("Spec, Transitions, active + resume: answers 200 without a change or an event", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const [record, events] = [await api.read(id), await api.events(id)];
    await api.resume(id);
    expect([await api.read(id), await api.events(id)]).toEqual([record, events]);
  });

  it("Spec, Transitions: is accepted on the last day of the billing period", async () => {
    const { api, id } = await openCancelled();
    // The period ends on 10 April, a day that is over at 18:15 UTC.
    service.clock.set("2026-04-10T18:14:59Z");
    await api.resume(id);
    expect((await api.read(id)).status).toBe("active");
  });

  it("is refused once the billing period has ended, even before the sweep runs", async () => {
    const { api, id } = await openCancelled();
    service.clock.set("2026-04-10T18:15:00Z");
    expect((await api.read(id)).status).toBe("pending_cancellation");
    const answer = await api.requestResume(id);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().detail).toContain("new subscription");
    expect((await api.read(id)).status).toBe("cancelled");
  });

  it("Spec, Other rules 1; choice, nothing to resume: answers 400 if cancelled, and suggests a new subscription", async () => {
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
  ])(
    "Spec choice, nothing to resume: answers 400 with a detail if the status is %s",
    async (status, days) => {
      const api = await SellerApi.open(service);
      const id = days === 0 ? (await api.create()).subscription_id : await api.createActive();
      await api.wait(days);
      expect((await api.read(id)).status).toBe(status);
      const answer = await api.requestResume(id);
      expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["detail"]]);
    },
  );

  it("Spec choice, verbs on one-time purchases: answers 400 with a detail for a one-time purchase", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive(api.periods.once);
    const answer = await api.requestResume(id);
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["detail"]]);
  });

  it("Spec choice, not found: answers 404 to another seller and changes nothing", async () => {
    const { api, id } = await openCancelled();
    const other = await SellerApi.open(service);
    const answer = await other.requestResume(id);
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail: "Not found." }]);
    expect((await api.read(id)).status).toBe("pending_cancellation");
  });

  it("Spec, Errors, duplicate: is refused while the buyer has a new subscription of the same billing period", async () => {
    const { api, id } = await openCancelled();
    const second = await api.createActive();
    const answer = await api.requestResume(id);
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["detail"]]);
    expect((await api.read(id)).status).toBe("pending_cancellation");
    expect((await api.read(second)).status).toBe("active");
  });

  it("Spec, Transitions: is accepted if the billing date of the buyer's duplicate subscription has passed", async () => {
    const { api, id } = await openCancelled();
    const second = await api.createActive();
    await api.reschedule(second, "2026-03-12");
    service.clock.set("2026-03-14T06:00:00Z");
    await api.resume(id);
    expect((await api.read(id)).status).toBe("active");
    expect((await api.read(second)).status).toBe("due");
  });

  it("Spec, Errors, duplicate: leaves only one subscription active if a duplicate is paid at the same time", async () => {
    const { api, id } = await openCancelled();
    const second = (await api.create()).subscription_id;
    await Promise.all([api.requestResume(id), api.pay(second)]);
    const active = await api.list("?status=active");
    expect(active.count).toBe(1);
  });
});
