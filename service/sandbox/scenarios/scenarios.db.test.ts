import { describe, expect, it } from "vitest";
import { EVENT_KINDS, SCENARIO_NAMES, type ScenarioName } from "#contract/names.ts";
import { ScenarioList } from "#contract/sandbox.ts";
import { SellerApi } from "../../testing/seller-api.ts";
import { useTestService } from "../../testing/use-service.ts";
import { clearedTables } from "../account/tables.ts";

const service = useTestService();

async function begin(api: SellerApi, name: ScenarioName) {
  const answer = await api.post("/sandbox/scenarios/", { name });
  expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining(name)]);
}
/** The account's contents, without the values that differ in each run. */
async function picture(api: SellerApi) {
  const { results, ...counters } = await api.list();
  return { counters, rows: results.map(({ subscription_id: _id, ...row }) => row) };
}

describe("a sandbox scenario", () => {
  it.each([
    ["some_due", { active_subscriptions: 3, due_subscriptions: 3 }],
    ["last_day_of_grace", { count: 1, due_subscriptions: 1 }],
    ["endpoint_down", { count: 2, active_subscriptions: 2 }],
    ["month_of_history", { count: 6, due_subscriptions: 1, inactive_subscriptions: 1 }],
  ] as const)(
    "named %s creates the expected number of subscriptions in each status",
    async (name, counters) => {
      const api = await SellerApi.open(service);
      await begin(api, name);
      expect(await api.list()).toMatchObject(counters);
    },
  );

  it.each([0, 7, 90])(
    "named last_day_of_grace creates a subscription whose grace period of %i days ends today",
    async (grace_days) => {
      const api = await SellerApi.open(service, { grace_days });
      await begin(api, "last_day_of_grace");
      expect(await api.list()).toMatchObject({ inactive_subscriptions: 0 });
      await api.post("/sandbox/clock/advance/", { to: "2026-03-10T18:15:00Z" });
      expect(await api.list()).toMatchObject({ inactive_subscriptions: 1 });
    },
  );

  it.each([0, 1, 90])(
    "with any name can start for a seller with a grace period of %i days",
    async (grace_days) => {
      const api = await SellerApi.open(service, { grace_days });
      for (const name of SCENARIO_NAMES) await begin(api, name);
    },
  );

  it("named endpoint_down registers webhook endpoints, and the next scenario removes the endpoints", async () => {
    const api = await SellerApi.open(service);
    await begin(api, "endpoint_down");
    const webhooks = async () => (await api.call({ url: "/api/v1/webhooks/" })).json();
    expect(await webhooks()).toMatchObject({ count: EVENT_KINDS.length });
    const deliveries = (await api.call({ url: "/sandbox/deliveries/" })).json();
    expect(deliveries.results).toHaveLength(4);
    await begin(api, "some_due");
    expect(await webhooks()).toMatchObject({ count: 0 });
  });

  it("starts again with the same data when the changed account is reset", async () => {
    for (const name of SCENARIO_NAMES) {
      const api = await SellerApi.open(service, { time_zone: "Pacific/Kiritimati" });
      await begin(api, name);
      const start = await picture(api);
      await api.createActive(api.periods.weekly);
      await api.post("/sandbox/clock/advance/", { by: "P3M" });
      expect((await api.post("/sandbox/reset/")).statusCode).toBe(200);
      expect(await picture(api)).toEqual(start);
      const list = ScenarioList.parse((await api.call({ url: "/sandbox/scenarios/" })).json());
      expect(list.results.filter((one) => one.is_current)).toMatchObject([{ name }]);
    }
  });

  it("is not needed for a reset, which empties the account but keeps its catalogue and other sellers", async () => {
    const [api, other] = [await SellerApi.open(service), await SellerApi.open(service)];
    const theirs = await other.createActive();
    await api.createActive();
    await api.post("/sandbox/reset/");
    expect(await api.list()).toMatchObject({ count: 0, total_subscriptions: 0 });
    expect((await api.call({ url: "/api/v1/customers/" })).json()).toMatchObject({ count: 0 });
    expect((await other.read(theirs)).status).toBe("active");
    await api.createActive();
    expect(await api.list()).toMatchObject({ count: 1, active_subscriptions: 1 });
  });

  it("cannot be reset while a worker sends a webhook: the reset answers 409 and clears nothing", async () => {
    const api = await SellerApi.open(service);
    const input = { event: "checkout.failed", endpoint_url: "https://shop.example/" };
    await api.post("/api/v1/webhooks/", input);
    await api.createActive();
    await service.pool.query(
      `insert into delivery_endpoint (seller_id, address_key, lease, free_at)
       select seller_id, address_key, gen_random_uuid(), $2 from webhook where seller_id = $1`,
      [api.seller.seller_id, new Date(service.clock.now().getTime() + 30_000)],
    );
    expect((await api.post("/sandbox/reset/")).statusCode).toBe(409);
    expect(await api.list()).toMatchObject({ count: 1 });
  });
});

it("a sandbox reset clears each referencing table before the table that it references", async () => {
  const cleared = (await clearedTables(service.pool)).map(({ name }) => name);
  const { rows } = await service.pool.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to
     from pg_constraint where contype = 'f' and confdeltype <> 'c' and conparentid = 0
       and confrelid::regclass::text = any ($1)`,
    [cleared],
  );
  expect(cleared).toContain("subscription");
  for (const { from, to } of rows.filter((one) => one.from !== one.to)) {
    expect(cleared).toContain(from);
    expect(cleared.indexOf(from)).toBeLessThan(cleared.indexOf(to));
  }
});
