import { describe, expect, it } from "vitest";
import { advanceLifecycle } from "../testing/advance.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const ROUNDS = 12;

/** Shuffles the items differently in each round, and equally in every run. */
function shuffled<Item>(items: Item[], round: number): Item[] {
  return items
    .map((item, index) => ({ item, place: Math.sin(round * 97 + index * 13) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** Expects that each event's old status is the new status of the event before it. */
function expectChain(events: string[], start: string, end: string) {
  let status = start;
  for (const event of events) {
    const [, from, to] = /: (\w+) > (\w+)/.exec(event) ?? [];
    if (!event.startsWith("subscription.status_changed")) continue;
    expect(from).toBe(status);
    status = to ?? "";
  }
  expect(status).toBe(end);
}

describe("concurrent requests", () => {
  it("Spec, States: cancelling, resuming, rescheduling, paying and sweeping leave a consistent history", async () => {
    const api = await SellerApi.open(service);
    const ids: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await api.createActive(api.periods.weekly, {
        phone: `98000000${10 + round}`,
      });
      ids.push(id);
      await api.wait(8);
      const sweep = () => advanceLifecycle(service.pool, api.seller, service.clock.now());
      const today = service.clock.now().toISOString().slice(0, 10);
      const phone = `98000000${10 + round}`;
      const requests = [
        () => api.requestCancel(id),
        () => api.requestResume(id),
        () => api.requestReschedule(id, today),
        () => api.requestCancel(id),
        () => api.requestCreate(api.periods.weekly, { phone }),
      ];
      const [answers] = await Promise.all([
        Promise.all(shuffled(requests, round).map((request) => request())),
        api.pay(id),
        sweep(),
        sweep(),
      ]);
      for (const answer of answers) expect(answer.statusCode).toBeLessThan(500);
    }
    for (const id of ids)
      expectChain(await api.events(id), "pending_checkout", (await api.read(id)).status);
    await expectTrueTallies(api);
  });

  it("Spec, Pagination: forty subscriptions made at once are each listed once, and the counters are right", async () => {
    const api = await SellerApi.open(service);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        api.createActive(api.periods.monthly, {
          phone: `98${String(index).padStart(8, "0")}`,
        }),
      ),
    );
    const page = await api.list("?page_size=100");
    expect(page).toMatchObject({
      count: 40,
      active_subscriptions: 40,
      total_subscriptions: 40,
    });
    expect(new Set(page.results.map((row) => row.subscription_id)).size).toBe(40);
    await expectTrueTallies(api);
  });
});

async function expectTrueTallies({ seller }: SellerApi) {
  const { rows } = await service.pool.query(
    `select status, is_one_time, sum(rows)::int as kept, (
       select count(*)::int from subscription s where s.seller_id = t.seller_id
       and s.status = t.status and s.is_one_time = t.is_one_time) as counted
     from subscription_tally t where seller_id = $1 and size = 128
     group by seller_id, status, is_one_time`,
    [seller.seller_id],
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { kept, counted } of rows) expect(kept).toBe(counted);
}
