import { describe, expect, it } from "vitest";
import { SellerApi } from "../../testing/seller-api.ts";
import {
  advanceClockBy,
  listStates,
  postWebhook,
  restoreStateById,
  saveNamedState,
} from "../../testing/saved-states.ts";
import { useTestService } from "../../testing/use-service.ts";

const service = useTestService();

describe("restoring a saved sandbox state", () => {
  const deliver = (id: number) =>
    service.pool.query(
      `update delivery set state = 'delivered', first_attempt_at = now(), finished_at = now()
       where delivery_id = $1`,
      [id],
    );
  const deliveries = async ({ seller }: SellerApi) => {
    const { rows } = await service.pool.query<{
      delivery_id: number;
      state: string;
      event_id: string;
    }>("select delivery_id, state, event_id from delivery where seller_id = $1 order by 1", [
      seller.seller_id,
    ]);
    return rows;
  };

  it("keeps sent webhook deliveries, skips later pending deliveries, and gives new events new IDs", async () => {
    const api = await SellerApi.open(service);
    await postWebhook(api, "subscription.status_changed");
    const id = await api.createActive(api.periods.weekly);
    const { id: state } = await saveNamedState(api);
    const [first] = await deliveries(api);
    await deliver(first?.delivery_id ?? 0);
    await advanceClockBy(api, "P1M");
    const then = await deliveries(api);
    expect(then.map((one) => one.state)).toEqual(["delivered", "pending", "pending"]);
    await deliver(then[1]?.delivery_id ?? 0);
    expect(await restoreStateById(api, state)).toMatchObject({ sent_since: 1 });
    const now = await deliveries(api);
    expect(now.map((one) => one.state)).toEqual(["delivered", "delivered", "skipped"]);
    expect((await api.read(id)).status).toBe("active");
    await advanceClockBy(api, "P1M");
    const ids = (await deliveries(api)).map((one) => one.event_id);
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(5);
  });

  it("brings back the pending webhook deliveries that a scenario had removed", async () => {
    const api = await SellerApi.open(service);
    await postWebhook(api, "subscription.status_changed");
    await api.createActive();
    const before = await deliveries(api);
    await api.post("/sandbox/scenarios/", { name: "some_due" });
    const [{ id } = { id: 0 }] = (await listStates(api)).results;
    await restoreStateById(api, id);
    expect((await deliveries(api)).filter(({ state }) => state === "pending")).toEqual(before);
  });

  it("keeps the newest signing secret of a webhook endpoint", async () => {
    const api = await SellerApi.open(service);
    const { id } = (await postWebhook(api, "checkout.succeeded")).json();
    const { id: state } = await saveNamedState(api);
    await api.post(`/sandbox/webhooks/${id}/rotate-secret/`);
    const secrets = async () =>
      (
        await service.pool.query(
          "select sealed_secret, previous_sealed_secret from webhook where id = $1",
          [id],
        )
      ).rows;
    const rotated = await secrets();
    await restoreStateById(api, state);
    expect(await secrets()).toEqual(rotated);
  });

  it("answers 409 and restores nothing while a worker sends a webhook", async () => {
    const api = await SellerApi.open(service);
    await postWebhook(api, "checkout.failed");
    const { id } = await saveNamedState(api);
    await api.createActive();
    await service.pool.query(
      `insert into delivery_endpoint (seller_id, address_key, lease, free_at)
       select seller_id, address_key, gen_random_uuid(), $2 from webhook where seller_id = $1`,
      [api.seller.seller_id, new Date(service.clock.now().getTime() + 30_000)],
    );
    expect((await api.post(`/sandbox/states/${id}/restore/`)).statusCode).toBe(409);
    expect(await api.list()).toMatchObject({ count: 1 });
  });
});
