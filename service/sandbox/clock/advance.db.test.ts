import { describe, expect, it } from "vitest";
import { Clock, ClockMove, SetClock } from "#contract/sandbox.ts";
import { untilBlocked } from "#tools/testing/database.ts";
import { lockCurrentSubscription } from "../../subscriptions/catch-up.ts";
import { sweepLifecycle } from "../../lifecycle/sweep.ts";
import { SellerApi } from "../../testing/seller-api.ts";
import { useTestService } from "../../testing/use-service.ts";

const service = useTestService();

const readClock = async (api: SellerApi) =>
  Clock.parse((await api.call({ url: "/sandbox/clock/" })).json());
async function advance(api: SellerApi, body: object) {
  const answer = await api.post("/sandbox/clock/advance/", body);
  return { status: answer.statusCode, span: () => ClockMove.parse(answer.json()), answer };
}

/** The events in the order in which they were written. */
async function writtenEvents({ seller }: SellerApi) {
  const { rows } = await service.pool.query<Record<string, string>>(
    `select wire_time(created_at) as at, subscription_id, old_status, new_status, reason
     from event where seller_id = $1 and reason in
       ('billing_date_passed', 'grace_elapsed', 'period_ended') order by sequence`,
    [seller.seller_id],
  );
  return rows;
}

describe("a seller's sandbox clock", () => {
  it("makes all changes up to the new time in order, and continues from the new time", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive(api.periods.weekly);
    const { span } = await advance(api, { by: "P1M" });
    expect(span()).toMatchObject({
      from: "2026-03-10T06:00:00.000Z",
      to: "2026-04-10T06:00:00.000Z",
      count: 2,
      steps: [
        { at: "2026-03-17T18:15:00.000Z", new_status: "due", reason: "billing_date_passed" },
        { at: "2026-03-24T18:15:00.000Z", new_status: "inactive", reason: "grace_elapsed" },
      ],
    });
    expect((await api.read(id)).status).toBe("inactive");
    service.clock.advance(60_000);
    expect(await readClock(api)).toMatchObject({
      now: "2026-04-10T06:01:00.000Z",
      real_now: "2026-03-10T06:01:00.000Z",
      is_ahead: true,
    });
  });

  it("can be advanced while the lifecycle sweep is changing a subscription", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive(api.periods.weekly);
    const sweep = await service.pool.connect();
    await sweep.query("begin");
    const due = await lockCurrentSubscription(
      sweep,
      api.seller,
      id,
      new Date("2026-03-18T00:00:00Z"),
    );
    expect(due?.status).toBe("due");
    const advanced = advance(api, { by: "P1M" });
    await untilBlocked(service.pool);
    await sweep.query("commit");
    sweep.release();
    expect((await advanced).span()).toMatchObject({
      steps: [{ old_status: "due", new_status: "inactive" }],
    });
    expect((await api.read(id)).status).toBe("inactive");
  });

  it("sets the time for creating, paying and rescheduling a subscription, and for the lifecycle sweep", async () => {
    const api = await SellerApi.open(service);
    await advance(api, { to: "2026-06-01T00:00:00+05:45" });
    const created = await api.create();
    expect(created.created_at).toBe("2026-05-31T18:15:00.000Z");
    await api.pay(created.subscription_id);
    const paid = await api.read(created.subscription_id);
    expect(paid.next_billing_cycle).toBe("2026-07-01T06:15:00.000Z");
    const past = await api.requestReschedule(created.subscription_id, "2026-05-31");
    expect(past.statusCode).toBe(400);
    await api.reschedule(created.subscription_id, "2026-06-01");
    service.clock.advance(24 * 60 * 60_000);
    await sweepLifecycle({ pool: service.pool, now: service.clock.now });
    expect((await api.read(created.subscription_id)).status).toBe("due");
  });

  it("sends checkout.failed for a checkout that counts as abandoned at the new time", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id } = await api.create();
    await advance(api, { by: "P2D" });
    expect(await api.events(subscription_id)).toEqual([
      "checkout.failed: pending_checkout > pending_checkout (abandoned)",
    ]);
  });

  it("does not change other sellers' clocks and subscriptions", async () => {
    const [api, other] = [await SellerApi.open(service), await SellerApi.open(service)];
    const theirs = await other.createActive(other.periods.weekly);
    await advance(api, { by: "P1Y" });
    await sweepLifecycle({ pool: service.pool, now: service.clock.now });
    expect((await other.read(theirs)).status).toBe("active");
    expect(await readClock(other)).toMatchObject({ is_ahead: false });
  });

  it("jumps to the next status change, and answers 400 if no change is left", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const statuses = [];
    for (let jump = 0; jump < 2; jump += 1) {
      ClockMove.parse((await api.post("/sandbox/clock/next/")).json());
      statuses.push((await api.read(id)).status);
    }
    expect(statuses).toEqual(["due", "inactive"]);
    expect((await readClock(api)).now).toBe("2026-04-17T18:15:00.000Z");
    expect((await api.post("/sandbox/clock/next/")).statusCode).toBe(400);
  });

  it("can be reset to real time without changing subscriptions", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await advance(api, { by: "P2M" });
    const answer = await api.post("/sandbox/clock/reset/");
    expect(SetClock.parse(answer.json())).toMatchObject({ now: "2026-03-10T06:00:00.000Z" });
    expect((await api.read(id)).status).toBe("inactive");
  });

  it.each([
    [{}, "to"],
    [{ to: "2026-04-01T00:00:00Z", by: "P1D" }, "to"],
    [{ to: "2026-03-10T06:00:00Z" }, "to"],
    [{ to: "2126-03-10T06:00:00Z" }, "to"],
    [{ to: "tomorrow" }, "to"],
    [{ by: "PT0S" }, "by"],
    [{ by: "P999999999Y" }, "by"],
    [{ by: "-P1D" }, "by"],
  ])("refuses the request body %j with an error under the wrong field", async (body, field) => {
    const api = await SellerApi.open(service);
    const { status, answer } = await advance(api, body);
    expect([status, Object.keys(answer.json())]).toEqual([400, [field]]);
    expect((await readClock(api)).is_ahead).toBe(false);
  });

  it("makes each change once during three concurrent advances, and ends at the latest requested time", async () => {
    const api = await SellerApi.open(service);
    for (let buyer = 0; buyer < 4; buyer += 1)
      await api.createActive(api.periods.weekly, { phone: `980000000${buyer}` });
    const sweep = () => sweepLifecycle({ pool: service.pool, now: service.clock.now });
    await Promise.all([
      ...["P10D", "P1M", "P20D"].map((by) => advance(api, { by })),
      ...Array.from({ length: 3 }, sweep),
    ]);
    expect(await writtenEvents(api)).toHaveLength(8);
    expect((await readClock(api)).now).toBe("2026-04-10T06:00:00.000Z");
  });
});
