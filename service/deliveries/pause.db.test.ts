import type { ServerResponse } from "node:http";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerWith, Endpoint } from "../testing/endpoint.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useDeliveryWorker, useTestService } from "../testing/use-service.ts";

const service = useTestService();
const HOUR = 60 * 60 * 1_000;

// Fails statements that change over 1,000 deliveries, which could take too long at a large seller.
beforeAll(() =>
  service.pool.query(
    `create function limit_statement() returns trigger language plpgsql as $$
     begin
       if (select count(*) from changed) > 1000 then raise 'too many deliveries at once'; end if;
       return null;
     end $$;
     create trigger limit_statement after update on delivery referencing new table as changed
       for each statement execute function limit_statement()`,
  ),
);

let endpoint: Endpoint;
let api: SellerApi;
let errors: unknown[];
beforeEach(async () => {
  service.clock.set(new Date().toISOString());
  endpoint = await Endpoint.listen();
  api = await SellerApi.open(service);
  errors = [];
});
afterEach(async () => {
  await endpoint.close();
});
const worker = useDeliveryWorker(service, { onError: (error) => errors.push(error) });

/** Registers an endpoint with 2,500 pending deliveries of one subscription. */
async function registerLarge(url = endpoint.url) {
  const { id } = await endpoint.register(api, "subscription.status_changed", url);
  const subscription = await api.createActive(api.periods.monthly, {
    phone: `98${String(id).padStart(8, "0")}`,
  });
  await service.pool.query(
    `insert into delivery (seller_id, webhook_id, event_id, event, subscription_id, body, created_at)
     select d.seller_id, d.webhook_id, gen_random_uuid(), d.event, d.subscription_id, d.body, d.created_at
     from delivery d, generate_series(2, 2500) where d.webhook_id = $1 and d.subscription_id = $2`,
    [id, subscription],
  );
  return { id, subscription };
}

const setActive = async (id: number, is_active: boolean) => {
  const call = {
    method: "PATCH",
    url: `/api/v1/webhooks/${id}/`,
    payload: { is_active },
  } as const;
  expect((await api.call(call)).statusCode).toBe(200);
};
const count = async (id: number) => {
  const { rows } = await service.pool.query<{ state: string; count: number }>(
    "select state, count(*)::int from delivery where webhook_id = $1 group by 1 order by 1",
    [id],
  );
  return Object.fromEntries(rows.map((row) => [row.state, row.count]));
};

describe("an endpoint with 2,500 pending deliveries", () => {
  it("Spec choice, paused endpoints: a pause skips the deliveries in steps, and none is sent in between", async () => {
    const { id } = await registerLarge();
    await setActive(id, false);
    expect(await count(id)).toEqual({ pending: 1_500, skipped: 1_000 });
    await worker.deliverDue();
    expect(endpoint.arrivals).toEqual([]);
    await worker.sweep();
    expect(await count(id)).toEqual({ skipped: 2_500 });
    expect(errors).toEqual([]);
  });

  it("Spec choice, paused endpoints: an endpoint that is soon switched on again gets only new events", async () => {
    const { id, subscription } = await registerLarge();
    await setActive(id, false);
    await setActive(id, true);
    await api.cancel(subscription);
    await worker.deliverDue();
    expect(endpoint.arrivals.map(({ body }) => JSON.parse(body).reason)).toEqual(["cancel"]);
    await worker.sweep();
    await worker.deliverDue();
    expect(await count(id)).toEqual({ delivered: 1, skipped: 2_500 });
    // A failure after that is retried.
    endpoint.answer = answerWith(500);
    await api.resume(subscription);
    await worker.deliverDue();
    await worker.sweep();
    expect(await count(id)).toEqual({ delivered: 1, pending: 1, skipped: 2_500 });
    expect(errors).toEqual([]);
  });

  it("gets no retry of an attempt that fails after a pause, although the endpoint is active again", async () => {
    const { id } = await registerLarge();
    await service.pool.query(
      "update delivery set next_at = created_at where delivery_id = (select max(delivery_id) from delivery)",
    );
    const held: ServerResponse[] = [];
    endpoint.answer = (response) => held.push(response);
    worker.wake();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await setActive(id, false);
    await setActive(id, true);
    endpoint.answer = answerWith(500);
    for (const response of held) response.writeHead(500).end();
    await worker.deliverDue();
    const sent = endpoint.arrivals.length;
    await worker.sweep();
    service.clock.advance(100 * HOUR);
    await worker.deliverDue();
    expect(endpoint.arrivals).toHaveLength(sent);
    expect(await count(id)).toEqual({ skipped: 2_500 });
  });

  it("Spec choice, retries: an answer of 410 switches the endpoint off and skips the deliveries that are not sent yet", async () => {
    const { id } = await registerLarge();
    endpoint.answer = answerWith(410);
    await worker.deliverDue();
    const { rows } = await service.pool.query("select is_active from webhook where id = $1", [
      id,
    ]);
    expect(rows).toEqual([{ is_active: false }]);
    const sent = endpoint.arrivals.length;
    await worker.sweep();
    await worker.deliverDue();
    expect(endpoint.arrivals).toHaveLength(sent);
    expect(await count(id)).toEqual({ failed: sent, skipped: 2_500 - sent });
    expect(errors).toEqual([]);
  });

  it("gets a resent delivery while paused, and refuses recovery until all its deliveries are skipped", async () => {
    const { id } = await registerLarge();
    await setActive(id, false);
    const newest = await service.pool.query<{ delivery_id: number }>(
      "select max(delivery_id) as delivery_id from delivery where webhook_id = $1",
      [id],
    );
    const resend = `/account/v1/deliveries/${newest.rows[0]?.delivery_id}/resend/`;
    expect((await api.post(resend)).statusCode).toBe(200);
    await worker.deliverDue();
    expect(endpoint.arrivals).toHaveLength(1);
    await setActive(id, true);
    const since = new Date(service.clock.now().getTime() + HOUR).toISOString();
    const recover = () =>
      api.post("/account/v1/deliveries/recover/", { webhook_id: id, since });
    const refusal = await recover();
    expect(refusal.statusCode).toBe(400);
    expect(refusal.json()).toEqual({ detail: expect.stringContaining("still being skipped") });
    await worker.sweep();
    expect((await recover()).json()).toEqual({ recovered: 0, left: 0 });
    expect(await count(id)).toEqual({ delivered: 1, skipped: 2_499 });
    expect(errors).toEqual([]);
  });

  it("does not block the pause of another endpoint when a database error blocks its own pause", async () => {
    const [failing, other] = [
      await registerLarge(),
      await registerLarge(`${endpoint.url}/other`),
    ];
    await setActive(failing.id, false);
    await setActive(other.id, false);
    await service.pool.query(
      `create function fail() returns trigger language plpgsql as $$ begin raise 'broken row'; end $$;
       create trigger fail before update on delivery for each row
         when (old.webhook_id = ${failing.id}) execute function fail()`,
    );
    await worker.sweep();
    await service.pool.query("drop trigger fail on delivery");
    expect(errors).toEqual([expect.objectContaining({ message: "broken row" })]);
    expect((await count(other.id))["pending"]).toBeUndefined();
    await worker.sweep();
    expect((await count(failing.id))["pending"]).toBeUndefined();
  });
});
