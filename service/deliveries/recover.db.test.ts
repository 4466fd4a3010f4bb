import { beforeEach, describe, expect, it } from "vitest";
import { RecoveredDeliveries } from "#contract/deliveries.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const SINCE = "2026-03-01T00:00:00Z";
const MISSED = 25_000;

let api: SellerApi;
let webhook_id: number;
beforeEach(async () => {
  api = await SellerApi.open(service);
  const url = "https://shop.example/hook";
  const payload = { event: "checkout.succeeded", endpoint_url: url };
  webhook_id = (await api.post("/api/v1/webhooks/", payload)).json<{ id: number }>().id;
});

/** Queues deliveries of the endpoint, a second after each other. */
const queue = (count: number, state: string, from: string) =>
  service.pool.query(
    `insert into delivery (seller_id, webhook_id, event_id, event, subscription_id, body, created_at,
       state)
     select $1, $2, gen_random_uuid(), 'checkout.succeeded', $3, '{}',
       $4::timestamptz + n * interval '1 second',
       case when $5 = 'missed' then (array['failed', 'skipped'])[n % 2 + 1] else $5 end
     from generate_series(1, $6::int) n`,
    [api.seller.seller_id, webhook_id, crypto.randomUUID(), from, state, count],
  );

const recover = async () =>
  RecoveredDeliveries.parse(
    (await api.post("/account/v1/deliveries/recover/", { webhook_id, since: SINCE })).json(),
  );

/**
 * The number of pending deliveries, and the position of the newest of them in the order of time.
 */
const restarted = async () =>
  (
    await service.pool.query(
      `select count(*)::int, max(n)::int from (
         select state, created_at, row_number() over (order by created_at) as n from delivery
         where webhook_id = $1 and created_at > $2) d
       where state = 'pending'`,
      [webhook_id, SINCE],
    )
  ).rows[0];

describe(`${MISSED} missed deliveries`, () => {
  it("are queued again in calls of at most 10,000, oldest first and each once", async () => {
    await queue(5, "missed", "2026-02-01T00:00:00Z");
    await queue(MISSED, "missed", SINCE);
    await queue(5, "delivered", "2026-03-09T00:00:00Z");
    expect(await recover()).toEqual({ recovered: 10_000, left: 15_000 });
    expect(await restarted()).toEqual({ count: 10_000, max: 10_000 });
    expect(await recover()).toEqual({ recovered: 10_000, left: 5_000 });
    expect(await restarted()).toEqual({ count: 20_000, max: 20_000 });
    expect(await recover()).toEqual({ recovered: 5_000, left: 0 });
    expect(await recover()).toEqual({ recovered: 0, left: 0 });
    expect(await restarted()).toEqual({ count: MISSED, max: MISSED });
  });

  it("are each queued again once by three concurrent calls", async () => {
    await queue(MISSED, "missed", SINCE);
    const answers = await Promise.all([recover(), recover(), recover()]);
    expect(answers.reduce((sum, { recovered }) => sum + recovered, 0)).toBe(MISSED);
    expect(await restarted()).toEqual({ count: MISSED, max: MISSED });
  });
});
