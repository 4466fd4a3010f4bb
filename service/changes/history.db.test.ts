import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ChangePage, SubscriptionChangePage } from "#contract/changes.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { changePrice } from "../products/price.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

const stateOf = ({
  status,
  product,
  current_period_start,
  next_billing_cycle,
}: Subscription) => ({
  status,
  pbp_id: product.pbp_id,
  price: product.price,
  currency: product.currency,
  current_period_start,
  next_billing_cycle,
});

async function readHistory(api: SellerApi, pageSize = 3) {
  const results: SubscriptionChangePage["results"] = [];
  for (let after = 0; ;) {
    const url = `/account/v1/subscription-changes/?after=${after}&page_size=${pageSize}`;
    const page = SubscriptionChangePage.parse((await api.call({ url })).json());
    results.push(...page.results);
    if (page.next === null) return { ...page, results };
    after = page.results.at(-1)?.id ?? 0;
  }
}

async function readFeed(api: SellerApi, cursor = "") {
  const query = cursor === "" ? "" : `?cursor=${cursor}`;
  const answer = await api.call({ url: `/account/v1/changes/${query}` });
  return ChangePage.parse(answer.json());
}

const DAY_LENGTHS = [1, 6, 9, 31, 45];
const acts = fc.array(
  fc.constantFrom("pay", "cancel", "resume", "reschedule", "order", ...DAY_LENGTHS),
  { minLength: 4, maxLength: 14 },
);

async function perform(api: SellerApi, id: string, act: string | number) {
  if (typeof act === "number") return api.post("/sandbox/clock/advance/", { by: `P${act}D` });
  if (act === "pay") return api.pay(id);
  // The same buyer orders another period of the plan: a pending subscription changes.
  if (act === "order") return api.requestCreate(api.periods.yearly);
  if (act === "cancel") return api.requestCancel(id);
  if (act === "resume") return api.requestResume(id);
  const clock = (await api.call({ url: "/sandbox/clock/" })).json<{ now: string }>();
  const day = new Date(Date.parse(clock.now) + 12 * 86_400_000);
  return api.requestReschedule(id, day.toISOString().slice(0, 10));
}

test("the history of a subscription has each of its states in order, in the list and in the feed of changes", async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (drawn) => {
      const api = await SellerApi.open(service);
      const { subscription_id: id } = await api.create();
      let { cursor } = await readFeed(api);
      const told: SubscriptionChangePage["results"] = [];
      const seen = [stateOf(await api.read(id))];
      for (const act of drawn) {
        await perform(api, id, act);
        const now = stateOf(await api.read(id));
        if (JSON.stringify(now) !== JSON.stringify(seen.at(-1))) seen.push(now);
        const page = await readFeed(api, cursor);
        cursor = page.cursor;
        told.push(...page.results.flatMap(({ history }) => history));
      }
      const { results } = await readHistory(api);
      expect(told.toSorted((one, other) => one.id - other.id)).toEqual(results);
      const own = results.filter(({ subscription_id }) => subscription_id === id);
      const states = [seen[0], ...own.map(({ after }) => after)];
      expect(own.map(({ before }) => before)).toEqual(states.slice(0, -1));
      // A long step of the clock passes two dates at once, so that a read does not see `due`.
      const between = states.filter((state) => state?.status !== "due");
      expect(between).toEqual(seen.filter(({ status }) => status !== "due"));
      expect(states).toEqual(expect.arrayContaining(seen));
    }),
    { numRuns: 10 },
  );
});

test("a price change for new buyers does not change the history of existing subscriptions", async () => {
  const api = await SellerApi.open(service);
  const id = await api.createActive();
  const place = { sellerId: api.seller.seller_id, pbpId: api.periods.monthly };
  const before = await readHistory(api);
  await changePrice(service.pool, place, { price: "1.00" });
  expect((await readHistory(api)).results).toEqual(before.results);
  expect(before.results.map(({ subscription_id }) => subscription_id)).toEqual([id]);
});

test("the history has a start time and only the account's own changes, and is restored and reset with the sandbox", async () => {
  const [api, other] = [await SellerApi.open(service), await SellerApi.open(service)];
  const id = await api.createActive();
  const { since, results } = await readHistory(other);
  expect(results).toEqual([]);
  expect(new Date(since).getTime()).toBeGreaterThan(Date.now() - 60_000);
  expect((await readHistory(api)).results).toHaveLength(1);
  await api.post("/sandbox/states/", { name: "Paid" });
  await api.cancel(id);
  expect((await readHistory(api)).results).toHaveLength(2);
  const listed = (await api.call({ url: "/sandbox/states/" })).json<{
    results: { id: number }[];
  }>();
  await api.post(`/sandbox/states/${listed.results[0]?.id}/restore/`);
  expect((await readHistory(api)).results).toHaveLength(1);
  await api.post("/sandbox/reset/");
  expect((await readHistory(api)).results).toEqual([]);
});
