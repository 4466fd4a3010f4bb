import { beforeEach, describe, expect, it } from "vitest";
import { CreatedSubscription } from "#contract/subscriptions.ts";
import { LedgerBalances } from "#contract/payments.ts";
import { fetchCheckoutPage, paymentsOf } from "../testing/checkout-forms.ts";
import { Follower, namedChanges } from "../testing/follower.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { testBuyer, withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const URL = "/account/v1/subscriptions/";
// The tests begin on 10 March, in a zone ahead of UTC.
const TODAY = "2026-03-10";

let api: SellerApi;
let account: TestSeller;
beforeEach(async () => {
  api = await SellerApi.open(service, { grace_days: 7 });
  account = await withAccountToken(service, api.seller);
});

const post = (url: string, payload?: object, headers: Record<string, string> = {}) =>
  service.call(account, {
    method: "POST",
    url,
    headers: { "content-type": "application/json", ...headers },
    ...(payload && { payload }),
  });

interface Asked {
  paid_until?: string;
  pbp_id?: string;
  client?: Record<string, unknown>;
}
const request = (
  { paid_until = "2026-04-01", pbp_id = api.periods.monthly, client }: Asked = {},
  headers: Record<string, string> = {},
) =>
  post(
    URL,
    {
      pbp_id,
      paid_until,
      return_url: "https://shop.example/thanks",
      client: testBuyer(client),
    },
    headers,
  );
async function takeOver(asked: Asked = {}) {
  const answer = await request(asked);
  expect([answer.statusCode, answer.body]).toEqual([201, expect.anything()]);
  return CreatedSubscription.parse(answer.json());
}
const withdraw = (id: string) => post(`${URL}${id}/withdraw/`);
const balances = async () =>
  LedgerBalances.parse((await service.call(account, { url: "/account/v1/balances/" })).json());

describe("a subscription that is taken over as paid elsewhere", () => {
  it("is active until its paid_until day, without a payment, a fee or an entry in the ledger", async () => {
    const before = await balances();
    const follower = await Follower.begin(api);
    const taken = await takeOver();
    const id = taken.subscription_id;
    expect(taken).toMatchObject({
      status: "active",
      next_billing_cycle: "2026-04-01T06:15:00.000Z",
    });
    expect(await api.read(id)).toMatchObject({
      status: "active",
      current_period_start: "2026-03-01T06:15:00.000Z",
      current_period_end: taken.next_billing_cycle,
    });
    expect(await api.events(id)).toEqual([
      "subscription.status_changed: pending_checkout > active (taken_over)",
    ]);
    expect(await paymentsOf(service, id)).toEqual([]);
    expect(await balances()).toEqual(before);
    expect(namedChanges(await follower.news())).toContain(`subscription created ${id}`);
    expect((await api.list()).active_subscriptions).toBe(1);
    expect((await fetchCheckoutPage(service, `/pay/${id}`)).body).not.toContain("OTP");
  });

  it("is due after its paid_until day, and later billing dates keep that day of the month", async () => {
    const { subscription_id: id } = await takeOver({ paid_until: "2026-03-31" });
    await api.wait(21);
    expect((await api.read(id)).status).toBe("active");
    await api.wait(1);
    expect((await api.read(id)).status).toBe("due");
    expect(await api.pay(id)).toBe("paid");
    expect((await api.read(id)).next_billing_cycle).toBe("2026-04-30T06:15:00.000Z");
    await api.wait(30);
    expect(await api.pay(id)).toBe("paid");
    expect((await api.read(id)).next_billing_cycle).toBe("2026-05-31T06:15:00.000Z");
    expect(await paymentsOf(service, id)).toHaveLength(2);
  });

  it("starts its period now if it is paid for longer than one billing interval", async () => {
    const { subscription_id: id } = await takeOver({ paid_until: "2026-09-15" });
    expect(await api.read(id)).toMatchObject({
      status: "active",
      current_period_start: service.clock.now().toISOString(),
      next_billing_cycle: "2026-09-15T06:15:00.000Z",
    });
  });

  it("is active today and due tomorrow if it is paid until today", async () => {
    const { subscription_id: id } = await takeOver({ paid_until: TODAY });
    expect((await api.read(id)).status).toBe("active");
    await api.wait(1);
    expect((await api.read(id)).status).toBe("due");
  });

  it("is due at once if its paid_until day has passed, with the remaining days of the grace period", async () => {
    const { subscription_id: id, status } = await takeOver({ paid_until: "2026-03-05" });
    expect(status).toBe("due");
    expect(await api.events(id)).toEqual([
      "subscription.status_changed: pending_checkout > active (taken_over)",
      "subscription.status_changed: active > due (billing_date_passed)",
    ]);
    await api.wait(2);
    expect((await api.read(id)).status).toBe("due");
    await api.wait(1);
    expect((await api.read(id)).status).toBe("inactive");
  });

  it("is due since yesterday, with a full grace period, if its paid_until day is months ago", async () => {
    const {
      subscription_id: id,
      status,
      next_billing_cycle,
    } = await takeOver({
      paid_until: "2025-11-20",
    });
    expect([status, next_billing_cycle]).toEqual(["due", "2026-03-09T06:15:00.000Z"]);
    await api.wait(6);
    expect((await api.read(id)).status).toBe("due");
    expect(await api.pay(id)).toBe("paid");
    expect((await api.read(id)).next_billing_cycle).toBe("2026-04-09T06:15:00.000Z");
  });

  it("reuses the buyer's unpaid subscription and its ID", async () => {
    const { subscription_id: id } = await api.create();
    expect((await takeOver()).subscription_id).toBe(id);
    expect((await api.list()).count).toBe(1);
  });

  it.each([
    ["a day too far ahead", { paid_until: "2037-01-01" }, "paid_until"],
    ["a day too long ago", { paid_until: "2015-01-01" }, "paid_until"],
    ["a day that there is not", { paid_until: "2026-02-30" }, "paid_until"],
    ["no day", { paid_until: "" }, "paid_until"],
    ["an unknown period", { pbp_id: "none" }, "pbp_id"],
    ["a bad phone number", { client: { phone: "x" } }, "client"],
  ])("is refused for %s, and no subscription is created", async (_, asked, field) => {
    const answer = await request(asked);
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, [field]]);
    expect((await api.list()).count).toBe(0);
  });

  it("is refused for a one-time purchase, and no subscription is created", async () => {
    const answer = await request({ pbp_id: api.periods.once });
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["pbp_id"]]);
    expect((await api.list()).count).toBe(0);
  });

  it("is refused for a past paid_until day if the seller has no grace period", async () => {
    const strict = await SellerApi.open(service, { grace_days: 0 });
    account = await withAccountToken(service, strict.seller);
    const answer = await request({ paid_until: "2026-03-09", pbp_id: strict.periods.monthly });
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["paid_until"]]);
  });

  it("is refused while the buyer's subscription of that billing period is active or pending cancellation", async () => {
    const { subscription_id: id } = await takeOver();
    const again = () => request({ paid_until: "2026-05-01" });
    expect((await again()).statusCode).toBe(400);
    await api.cancel(id);
    expect((await again()).statusCode).toBe(400);
    await api.wait(30);
    expect((await api.read(id)).status).toBe("cancelled");
    expect((await again()).statusCode).toBe(201);
    await takeOver({ paid_until: "2026-04-05", client: { phone: "9800000002" } });
    expect(
      (await request({ paid_until: "2026-04-05", client: { phone: "9800000002" } })).statusCode,
    ).toBe(400);
    expect((await api.list()).count).toBe(3);
  });

  it("is created once per Idempotency-Key, even if requests are concurrent or repeated later", async () => {
    const key = { "idempotency-key": "row-1" };
    const answers = await Promise.all([request({}, key), request({}, key), request({}, key)]);
    const made = answers.filter(({ statusCode }) => statusCode === 201);
    expect(answers.every(({ statusCode }) => [201, 409].includes(statusCode))).toBe(true);
    expect(made.length).toBeGreaterThan(0);
    const later = await request({}, key);
    expect(later.json()).toEqual(made[0]?.json());
    expect((await api.list()).count).toBe(1);
  });

  it("cannot use another seller's billing period, and cannot be withdrawn by another seller", async () => {
    const other = await SellerApi.open(service);
    expect((await request({ pbp_id: other.periods.monthly })).statusCode).toBe(400);
    const { subscription_id: id } = await takeOver();
    account = await withAccountToken(service, other.seller);
    expect((await withdraw(id)).statusCode).toBe(404);
    expect((await api.read(id)).status).toBe("active");
    expect((await other.list()).count).toBe(0);
  });
});

describe("withdrawing a subscription", () => {
  it("cancels a taken-over subscription at once, and a second withdrawal changes nothing", async () => {
    const { subscription_id: id } = await takeOver();
    expect((await withdraw(id)).statusCode).toBe(200);
    const record = await api.read(id);
    expect(record).toMatchObject({ status: "cancelled", next_billing_cycle: null });
    const events = await api.events(id);
    expect(events.at(-1)).toBe("subscription.status_changed: active > cancelled (withdrawn)");
    expect((await withdraw(id)).statusCode).toBe(200);
    expect([await api.read(id), await api.events(id)]).toEqual([record, events]);
    await takeOver({ paid_until: "2026-05-01" });
  });

  it.each([
    ["due", "2026-03-09"],
    ["pending_cancellation", "2026-04-01"],
  ])("cancels a taken-over subscription with the status %s", async (status, paid_until) => {
    const { subscription_id: id } = await takeOver({ paid_until });
    if (status === "pending_cancellation") await api.cancel(id);
    expect((await api.read(id)).status).toBe(status);
    expect((await withdraw(id)).statusCode).toBe(200);
    expect((await api.read(id)).status).toBe("cancelled");
  });

  it.each(["monthly", "once"] as const)(
    "cancels an unpaid subscription with the billing period %s",
    async (period) => {
      const { subscription_id: id } = await api.create(api.periods[period]);
      expect((await withdraw(id)).statusCode).toBe(200);
      expect((await api.read(id)).status).toBe("cancelled");
      expect(await api.pay(id)).not.toBe("paid");
    },
  );

  it("is refused for a taken-over subscription once the buyer has paid", async () => {
    const { subscription_id: id } = await takeOver({ paid_until: "2026-03-09" });
    expect(await api.pay(id)).toBe("paid");
    const answer = await withdraw(id);
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([409, ["detail"]]);
    expect((await api.read(id)).status).toBe("active");
  });

  it("is refused while a recorded payment waits for approval", async () => {
    const { subscription_id: id } = await api.create();
    const { version } = (await service.call(account, { url: "/account/v1/profile/" })).json<{
      version: string;
    }>();
    await service.call(account, {
      method: "PATCH",
      url: "/account/v1/profile/",
      payload: { version, approve_payments_above: "1.00" },
      headers: { "content-type": "application/json" },
    });
    const recorded = await post(`${URL}${id}/payments/`, {
      amount: "1130.00",
      period_start: null,
      method: "cash",
      reference: "Book 12",
      received_on: TODAY,
      by: { id: "1", name: "Sita Rai" },
    });
    expect(recorded.statusCode).toBe(201);
    expect((await withdraw(id)).statusCode).toBe(409);
    expect((await api.read(id)).status).toBe("pending_checkout");
  });
});
