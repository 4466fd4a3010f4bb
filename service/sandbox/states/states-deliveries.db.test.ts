import { describe, expect, it } from "vitest";
import { Desk } from "../../testing/desk.ts";
import { advance, listStates, register, restore, save } from "../../testing/saved-states.ts";
import { useTestService } from "../../testing/use-service.ts";

const service = useTestService();

describe("deliveries and a restored state", () => {
  const deliver = (id: number) =>
    service.pool.query(
      `update delivery set state = 'delivered', first_attempt_at = now(), finished_at = now()
       where delivery_id = $1`,
      [id],
    );
  const deliveries = async ({ seller }: Desk) => {
    const { rows } = await service.pool.query<{
      delivery_id: number;
      state: string;
      event_id: string;
    }>("select delivery_id, state, event_id from delivery where seller_id = $1 order by 1", [
      seller.seller_id,
    ]);
    return rows;
  };

  it("what was sent since stays sent, what was not is not, and new ones bear new ids", async () => {
    const desk = await Desk.open(service);
    await register(desk, "subscription.status_changed");
    const id = await desk.createActive(desk.periods.weekly);
    const { id: state } = await save(desk);
    const [first] = await deliveries(desk);
    await deliver(first?.delivery_id ?? 0);
    await advance(desk, "P1M");
    const then = await deliveries(desk);
    expect(then.map((one) => one.state)).toEqual(["delivered", "pending", "pending"]);
    await deliver(then[1]?.delivery_id ?? 0);
    expect(await restore(desk, state)).toMatchObject({ sent_since: 1 });
    const now = await deliveries(desk);
    expect(now.map((one) => one.state)).toEqual(["delivered", "delivered", "skipped"]);
    expect((await desk.read(id)).status).toBe("active");
    await advance(desk, "P1M");
    const ids = (await deliveries(desk)).map((one) => one.event_id);
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(5);
  });

  it("those that a scenario took away wait again", async () => {
    const desk = await Desk.open(service);
    await register(desk, "subscription.status_changed");
    await desk.createActive();
    const before = await deliveries(desk);
    await desk.post("/sandbox/scenarios/", { name: "some_due" });
    const [{ id } = { id: 0 }] = (await listStates(desk)).results;
    await restore(desk, id);
    expect((await deliveries(desk)).filter(({ state }) => state === "pending")).toEqual(before);
  });

  it("a registration keeps the secret that its receiver was given last", async () => {
    const desk = await Desk.open(service);
    const { id } = (await register(desk, "checkout.succeeded")).json();
    const { id: state } = await save(desk);
    await desk.post(`/sandbox/webhooks/${id}/rotate-secret/`);
    const secrets = async () =>
      (
        await service.pool.query(
          "select sealed_secret, previous_sealed_secret from webhook where id = $1",
          [id],
        )
      ).rows;
    const rotated = await secrets();
    await restore(desk, state);
    expect(await secrets()).toEqual(rotated);
  });

  it("waits for a worker that is delivering: 409, and nothing goes back", async () => {
    const desk = await Desk.open(service);
    await register(desk, "checkout.failed");
    const { id } = await save(desk);
    await desk.createActive();
    await service.pool.query(
      `insert into delivery_endpoint (seller_id, address_key, lease, free_at)
       select seller_id, address_key, gen_random_uuid(), $2 from webhook where seller_id = $1`,
      [desk.seller.seller_id, new Date(service.clock.now().getTime() + 30_000)],
    );
    expect((await desk.post(`/sandbox/states/${id}/restore/`)).statusCode).toBe(409);
    expect(await desk.list()).toMatchObject({ count: 1 });
  });
});
