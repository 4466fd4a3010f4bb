import { describe, expect, it } from "vitest";
import { advanceLifecycle } from "../testing/advance.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

describe("the lifecycle", () => {
  it("Spec, Transitions, billing date passes: makes an unpaid subscription due once the billing date is over", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const at = async (moment: string) => {
      service.clock.set(moment);
      await api.wait(0);
      return (await api.read(id)).status;
    };
    // Spec choice, time zone of dates: 10 April ends at 18:15 UTC in Kathmandu.
    expect(await at("2026-04-10T18:14:59Z")).toBe("active");
    expect(await at("2026-04-10T18:15:00Z")).toBe("due");
    // A due subscription keeps the missed date.
    expect((await api.read(id)).next_billing_cycle).toBe("2026-04-10T06:15:00.000Z");
    expect((await api.events(id)).at(-1)).toBe(
      "subscription.status_changed: active > due (billing_date_passed)",
    );
  });

  it.each([
    [7, "2026-04-17T18:15:00Z"],
    [0, "2026-04-10T18:15:00Z"],
    [90, "2026-07-09T18:15:00Z"],
  ])(
    "Spec choice, grace period: ends a grace period of %i days at %s",
    async (grace_days, end) => {
      const api = await SellerApi.open(service, { grace_days });
      const id = await api.createActive();
      service.clock.set(end);
      service.clock.advance(-1);
      await api.wait(0);
      expect((await api.read(id)).status).toBe(grace_days === 0 ? "active" : "due");
      service.clock.advance(1);
      await api.wait(0);
      expect(await api.read(id)).toMatchObject({
        status: "inactive",
        next_billing_cycle: null,
        current_period_end: null,
      });
    },
  );

  it("Spec, Transitions: makes each status change once and in order after 300 days without a sweep", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await api.wait(300);
    await api.wait(1);
    expect((await api.events(id)).slice(2)).toEqual([
      "subscription.status_changed: active > due (billing_date_passed)",
      "subscription.status_changed: due > inactive (grace_elapsed)",
    ]);
  });

  it("Spec, Transitions: makes each status change once with three concurrent sweeps", async () => {
    const api = await SellerApi.open(service);
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1)
      ids.push(await api.createActive(api.periods.monthly, { phone: `980000000${index}` }));
    service.clock.set("2026-04-12T06:00:00Z");
    const sweep = () => advanceLifecycle(service.pool, api.seller, service.clock.now());
    await Promise.all([sweep(), sweep(), sweep()]);
    for (const id of ids) expect(await api.events(id)).toHaveLength(3);
    expect(await api.list()).toMatchObject({ active_subscriptions: 0, due_subscriptions: 5 });
  });

  it("Spec, Other rules 2: does not change pending subscriptions, one-time purchases and other sellers' subscriptions", async () => {
    const api = await SellerApi.open(service);
    const other = await SellerApi.open(service);
    await api.create();
    await api.createActive(api.periods.once, { phone: "9800000002" });
    const theirs = await other.createActive();
    await api.wait(200);
    expect(await api.list("?status=pending_checkout")).toMatchObject({ count: 1 });
    expect(await api.list("?status=active")).toMatchObject({ count: 1 });
    expect((await other.read(theirs)).status).toBe("active");
  });
});
