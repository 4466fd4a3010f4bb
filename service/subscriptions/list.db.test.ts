import { describe, expect, it } from "vitest";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import { SubscriptionPage } from "#contract/subscriptions.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const LIST = "http://billing.test/api/v1/subscriptions/";

/** Creates pending subscriptions, oldest first, a minute apart. */
async function openWith(count: number) {
  const api = await SellerApi.open(service);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const phone = `98${String(index).padStart(8, "0")}`;
    ids.push((await api.create(api.periods.monthly, { phone })).subscription_id);
    service.clock.advance(60_000);
  }
  return { api, ids };
}

describe("listing subscriptions", () => {
  it("Spec, GET subscriptions: returns the newest first, 20 per page by default", async () => {
    const { api, ids } = await openWith(23);
    const first = await api.list();
    expect(first.results.map((row) => row.subscription_id)).toEqual(
      ids.toReversed().slice(0, 20),
    );
    expect(first).toMatchObject({
      count: 23,
      next: `${LIST}?page=2&page_size=20`,
      previous: null,
    });
  });

  it("Spec, Limits: returns every subscription once to a client that follows next until null", async () => {
    const { api, ids } = await openWith(7);
    const walked: string[] = [];
    let url: string | null = `${LIST}?page_size=3`;
    while (url !== null) {
      const answer = await api.call({ url: url.replace("http://billing.test", "") });
      const page = SubscriptionPage.parse(answer.json());
      walked.push(...page.results.map((row) => row.subscription_id));
      url = page.next;
    }
    expect(walked).toEqual(ids.toReversed());
  });

  it("keeps page_size, status and every other parameter in next and previous", async () => {
    const { api } = await openWith(5);
    const page = await api.list("?status=pending_checkout&page_size=2&page=2&for=a%20%26b");
    expect(page.next).toBe(`${LIST}?page=3&page_size=2&status=pending_checkout&for=a+%26b`);
    // Spec choice, paging: the link to the first page has no page number.
    expect(page.previous).toBe(`${LIST}?page_size=2&status=pending_checkout&for=a+%26b`);
  });

  it("Spec, Limits: returns at most 100 subscriptions per page", async () => {
    const { api } = await openWith(101);
    const page = await api.list("?page_size=500");
    expect(page.results).toHaveLength(100);
    expect(page.next).toBe(`${LIST}?page=2&page_size=100`);
  });

  it.each(["0", "-1", "2", "1000000000", "99999999999999999999", "x", "", "1.5"])(
    "Spec choice, paging: answers 404 with a detail to page %j of a list with one page",
    async (page) => {
      const { api } = await openWith(1);
      for (const status of ["", "&status=pending_checkout"]) {
        const answer = await api.call({ url: `/api/v1/subscriptions/?page=${page}${status}` });
        expect([answer.statusCode, answer.json()]).toEqual([404, { detail: "Not found." }]);
      }
    },
  );

  it("Spec, Pagination: returns one empty page for an empty list", async () => {
    const api = await SellerApi.open(service);
    expect(await api.list("?page=1")).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
      total_subscriptions: 0,
      active_subscriptions: 0,
      due_subscriptions: 0,
      inactive_subscriptions: 0,
    });
  });
});

describe("the status filter of the subscription list", () => {
  it("Spec, GET subscriptions: selects one status, newest first, or all statuses if the filter is empty", async () => {
    const { api, ids } = await openWith(4);
    await api.pay(ids[0] ?? "");
    await api.pay(ids[2] ?? "");
    const page = await api.list("?status=active");
    expect(page.results.map((row) => row.subscription_id)).toEqual([ids[2], ids[0]]);
    expect(page.count).toBe(2);
    expect((await api.list("?status=")).count).toBe(4);
  });

  it.each(SUBSCRIPTION_STATUSES)(
    "Spec, Subscription: accepts the status %s",
    async (status) => {
      const api = await SellerApi.open(service);
      expect((await api.list(`?status=${status}`)).results).toEqual([]);
    },
  );

  it.each(["paid", "ACTIVE", "active,due", "active&status=due", "%00"])(
    "Spec choice, unknown status filter: answers 400 with an array under status to the value %s",
    async (status) => {
      const api = await SellerApi.open(service);
      const answer = await api.call({ url: `/api/v1/subscriptions/?status=${status}` });
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { status: [expect.any(String)] },
      ]);
    },
  );
});

describe("the counters of the subscription list", () => {
  it("Spec, Pagination: include only recurring subscriptions, so count can exceed total_subscriptions", async () => {
    const { api, ids } = await openWith(3);
    await api.pay(ids[0] ?? "");
    await api.createActive(api.periods.once, { phone: "9811111111" });
    expect(await api.list()).toMatchObject({
      count: 4,
      total_subscriptions: 3,
      active_subscriptions: 1,
      due_subscriptions: 0,
      inactive_subscriptions: 0,
    });
  });

  it("Spec choice, counters: cover the whole account, whatever the status filter", async () => {
    const { api, ids } = await openWith(3);
    for (const id of ids) await api.pay(id);
    await api.cancel(ids[1] ?? "");
    await api.reschedule(ids[2] ?? "", "2026-03-12");
    await api.wait(3);
    const counters = {
      total_subscriptions: 3,
      active_subscriptions: 1,
      due_subscriptions: 1,
      inactive_subscriptions: 0,
    };
    expect(await api.list("?status=due")).toMatchObject({ count: 1, ...counters });
    expect(await api.list("?status=cancelled")).toMatchObject({ count: 0, ...counters });
    await api.wait(8);
    expect(await api.list()).toMatchObject({
      due_subscriptions: 0,
      inactive_subscriptions: 1,
    });
  });

  it("Spec, What the service does 1: exclude other sellers' subscriptions", async () => {
    const { api } = await openWith(2);
    const other = await SellerApi.open(service);
    await other.createActive();
    expect(await api.list()).toMatchObject({ count: 2, total_subscriptions: 2 });
    expect(await other.list()).toMatchObject({ count: 1, active_subscriptions: 1 });
  });
});
