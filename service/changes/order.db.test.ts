import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { ChangePage } from "#contract/changes.ts";
import { buildApp } from "../app.ts";
import { CHANGES_URL, Follower, namedChanges } from "../testing/follower.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

describe("transactions that commit in another order than they began", () => {
  const rename = (id: string, name: string): [text: string, values: string[]] => [
    "update subscription set full_name = $2 where subscription_id = $1",
    [id, name],
  ];

  it("are each listed once in the feed, after they commit", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: early } = await api.create();
    const { subscription_id: late } = await api.create(api.periods.weekly, {
      phone: "9811000000",
    });
    const follower = await Follower.begin(api);
    const first = await service.pool.connect();
    const second = await service.pool.connect();
    try {
      await first.query("begin");
      await first.query(...rename(early, "First to begin"));
      await second.query("begin");
      await second.query(...rename(late, "Second to begin"));
      await second.query("commit");
      expect(namedChanges(await follower.news())).toEqual([`subscription changed ${late}`]);
      expect(await follower.news()).toEqual([]);
      // A cursor that was issued while the first transaction was open lists that transaction later.
      const during = await Follower.begin(api);
      await first.query("commit");
      for (const each of [follower, during]) {
        const [told, ...more] = await each.news();
        expect(told).toMatchObject({
          id: early,
          subscription: { client: { full_name: "First to begin" } },
        });
        expect(more).toEqual([]);
        expect(await each.news()).toEqual([]);
      }
    } finally {
      first.release();
      second.release();
    }
  });

  it("are not skipped if one commits while a reader is between two pages of the feed", async () => {
    const api = await SellerApi.open(service);
    const ids: string[] = [];
    for (const phone of ["9821000000", "9822000000", "9823000000"])
      ids.push((await api.create(api.periods.monthly, { phone })).subscription_id);
    const [early = "", ...others] = ids;
    const follower = await Follower.begin(api);
    const open = await service.pool.connect();
    try {
      await open.query("begin");
      await open.query(...rename(early, "First to begin"));
      for (const id of others) await service.pool.query(...rename(id, "In between"));
      const page = await follower.page("&page_size=1");
      expect(page.has_more).toBe(true);
      await open.query("commit");
      const rest = await follower.news("&page_size=1");
      expect(new Set([...page.results, ...rest].map(({ id }) => id))).toEqual(new Set(ids));
      expect(rest).toHaveLength(2);
    } finally {
      open.release();
    }
  });

  it("are all listed for a reader who reads the feed during concurrent writes", async () => {
    const api = await SellerApi.open(service);
    const follower = await Follower.begin(api);
    const created: string[] = [];
    const told: string[] = [];
    let isWriting = true;
    const write = async (writer: number) => {
      for (let buyer = 0; buyer < 15; buyer += 1)
        created.push(
          (await api.create(api.periods.monthly, { phone: `98${writer}000${100 + buyer}` }))
            .subscription_id,
        );
    };
    const follow = async () => {
      for (let isLast = false; !isLast;) {
        isLast = !isWriting;
        const news = await follower.news("&page_size=3");
        told.push(...news.filter(({ kind }) => kind === "subscription").map(({ id }) => id));
      }
    };
    const reading = follow();
    await Promise.all([1, 2, 3, 4, 5].map(write));
    isWriting = false;
    await reading;
    expect(told.toSorted()).toEqual(created.toSorted());
  });
});

describe("a request that waits for changes", () => {
  it("is answered with the next change", async () => {
    const api = await SellerApi.open(service);
    const follower = await Follower.begin(api);
    const answer = follower.page("&wait=25");
    const { subscription_id } = await api.create();
    expect(namedChanges((await answer).results)).toContain(
      `subscription created ${subscription_id}`,
    );
  });

  it("is answered at once if there are new changes already", async () => {
    const api = await SellerApi.open(service);
    const follower = await Follower.begin(api);
    await api.create();
    expect((await follower.page("&wait=25")).results).toHaveLength(2);
  });

  it("gets a 410 when the account's records are reset", async () => {
    const api = await SellerApi.open(service);
    const follower = await Follower.begin(api);
    const answer = follower.ask("&wait=25");
    await api.post("/sandbox/reset/");
    expect((await answer).statusCode).toBe(410);
  });

  it("is answered without changes when the service shuts down", async () => {
    const app = await buildApp(service.context);
    const api = await SellerApi.open(service);
    const { cursor } = await Follower.begin(api);
    const headers = { authorization: `Bearer ${api.seller.key}` };
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    const arrived = once(app.server, "request");
    const answer = fetch(`${origin}${CHANGES_URL}?cursor=${cursor}&wait=25`, { headers });
    await arrived;
    await app.close();
    expect(ChangePage.parse(await (await answer).json()).results).toEqual([]);
  });
});
