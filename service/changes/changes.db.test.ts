import { describe, expect, it } from "vitest";
import type { RecordChange } from "#contract/changes.ts";
import { CatalogueApi, milkInput } from "../testing/catalogue-api.ts";
import { CHANGES_URL, Follower, namedChanges } from "../testing/follower.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { deleteOldChanges } from "./store.ts";

const service = useTestService();

const countOf = (changes: RecordChange[]) =>
  Object.fromEntries(
    [...Map.groupBy(changes, ({ kind, change }) => `${kind} ${change}`)].map(([key, list]) => [
      key,
      list.length,
    ]),
  );

describe("the feed of changes", () => {
  it("lists each new record once, with the same content as the lists of the API", async () => {
    const api = await SellerApi.open(service);
    const follower = await Follower.begin(api);
    expect(await follower.news()).toEqual([]);
    const id = await api.createActive();
    const news = await follower.news();
    expect(countOf(news)).toEqual({
      "customer created": 1,
      "subscription created": 1,
      "payment created": 1,
      "product changed": 1,
    });
    const of = (kind: string) => news.find((one) => one.kind === kind);
    expect(of("subscription")).toMatchObject({ id, subscription: await api.read(id) });
    const listed = async (url: string) =>
      (await api.call({ url })).json<{ results: unknown[] }>().results;
    expect([of("customer")?.customer]).toEqual(await listed("/api/v1/customers/"));
    expect([of("product")?.product]).toEqual(await listed("/api/v1/products/"));
    expect([of("payment")?.payment]).toEqual(await listed("/account/v1/payments/"));
    expect(await follower.news()).toEqual([]);
  });

  it("does not list changes that the API does not show, or changes of other sellers", async () => {
    const api = await SellerApi.open(service);
    const other = await SellerApi.open(service);
    const { subscription_id } = await api.create();
    const follower = await Follower.begin(api);
    await other.createActive();
    // The API shows neither change: the buyer orders again with the same details, and the grace period
    // moves the time of the sweep's next step.
    await api.create();
    await service.pool.query(
      "update seller set grace_days = grace_days + 1 where seller_id = $1",
      [api.seller.seller_id],
    );
    expect(await follower.news()).toEqual([]);
    await api.create(api.periods.monthly, { full_name: "Asmita Rai Thapa" });
    expect(namedChanges(await follower.news())).toEqual([
      expect.stringMatching(/^customer changed/),
      `subscription changed ${subscription_id}`,
    ]);
  });

  it("lists a product when it is added, taken off sale, and put back on sale", async () => {
    const api = await SellerApi.open(service);
    const catalogue = await CatalogueApi.open(service, api.seller);
    const follower = await Follower.begin(api);
    const curd = await catalogue.added({ ...milkInput, name: "Curd" });
    const { product_id: id } = curd;
    expect(namedChanges(await follower.news())).toEqual([`product created ${id}`]);
    const off = await catalogue.changed(curd, { is_active: false });
    const [gone] = await follower.news();
    expect(gone).toMatchObject({ kind: "product", id, change: "gone", product: null });
    await catalogue.changed(off, { is_active: true, name: "Dahi" });
    const [back] = await follower.news();
    expect(back).toMatchObject({ id, change: "changed", product: { name: "Dahi" } });
  });

  it("lists a subscription that becomes inactive because the sandbox clock was moved ahead", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const follower = await Follower.begin(api);
    await api.post("/sandbox/clock/advance/", { by: "P2M" });
    const news = await follower.news();
    expect(namedChanges(news)).toContain(`subscription changed ${id}`);
    expect(news.find((one) => one.id === id)?.subscription?.status).toBe("inactive");
  });

  it("lists a deleted subscription as gone", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const follower = await Follower.begin(api);
    await service.pool.query("delete from event where subscription_id = $1", [id]);
    await service.pool.query("delete from subscription where subscription_id = $1", [id]);
    expect(namedChanges(await follower.news())).toEqual([`subscription gone ${id}`]);
  });

  it("can be read in pages of one change without missing a change", async () => {
    const api = await SellerApi.open(service);
    const follower = await Follower.begin(api);
    const whole = await Follower.begin(api);
    for (let buyer = 0; buyer < 8; buyer += 1)
      await api.create(api.periods.monthly, { phone: `980000010${buyer}` });
    const first = await follower.page("&page_size=1");
    expect(first).toMatchObject({ has_more: true, results: [{ kind: "customer" }] });
    // Changes made between two pages come after all of these.
    await api.create(api.periods.monthly, { phone: "9800000109" });
    const rest = await follower.news("&page_size=1");
    const all = await whole.news();
    expect(namedChanges([...first.results, ...rest])).toEqual(namedChanges(all));
    expect(countOf(all)).toEqual({ "customer created": 9, "subscription created": 9 });
  });
});

describe("a cursor that the feed of changes cannot continue from", () => {
  const replacements: Record<string, (api: SellerApi) => Promise<unknown>> = {
    "a reset": (api) => api.post("/sandbox/reset/"),
    "a scenario": (api) => api.post("/sandbox/scenarios/", { name: "some_due" }),
    "a restored state": async (api) => {
      const saved = await api.post("/sandbox/states/", { name: "Before" });
      const { id } = saved.json<{ id: number }>();
      await api.post(`/sandbox/states/${id}/restore/`);
    },
  };

  it.each(Object.keys(replacements))(
    "is refused with a 410 after %s, and a new cursor works",
    async (name) => {
      const api = await SellerApi.open(service);
      await api.createActive();
      const follower = await Follower.begin(api);
      await replacements[name]?.(api);
      const refused = await follower.ask();
      expect(refused.statusCode).toBe(410);
      expect(refused.json()).toEqual({
        detail:
          "The account's records were replaced after this cursor. Read everything again: ask for changes without a cursor, read the lists, then go on with the new cursor.",
      });
      const again = await Follower.begin(api);
      expect(await again.news()).toEqual([]);
      const { subscription_id } = await api.create(api.periods.weekly, { phone: "9831000000" });
      expect(namedChanges(await again.news())).toContain(
        `subscription created ${subscription_id}`,
      );
    },
  );

  it("is refused with a 410 if it is too old, from another database, ahead of the database or inconsistent", async () => {
    const api = await SellerApi.open(service);
    const follower = await Follower.begin(api);
    const begun = readCursor(follower.cursor);
    if (!begun) throw new Error("the service's own cursor is unreadable");
    const { since } = begun;
    const statusWith = async (changes: Partial<typeof begun>) => {
      follower.cursor = writeCursor({ ...begun, ...changes });
      return (await follower.ask()).statusCode;
    };
    expect(await statusWith({})).toBe(200);
    expect(await statusWith({ origin: "another" })).toBe(410);
    expect(await statusWith({ since: ["9000000000:9000000000:", since[1]] })).toBe(410);
    expect(await statusWith({ since: ["7:3:", since[1]] })).toBe(410);
    service.clock.advance(7 * 86_400_000 + 1);
    expect(await statusWith({})).toBe(410);
    expect((await follower.ask()).body).toContain("This cursor is too old.");
  });

  it("is refused with a 400 that names the field cursor if it is malformed or belongs to another account", async () => {
    const api = await SellerApi.open(service);
    const other = await SellerApi.open(service);
    const follower = await Follower.begin(api);
    follower.cursor = (await Follower.begin(other)).cursor;
    const wrong = ["none", "e30", follower.cursor];
    for (const cursor of wrong) {
      const answer = await api.call({ url: `${CHANGES_URL}?cursor=${cursor}` });
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        {
          cursor: [
            "This cursor does not belong to this account. Begin again without a cursor.",
          ],
        },
      ]);
    }
    for (const query of ["wait=26", "wait=soon", "page_size=0", `cursor=${"a".repeat(4_001)}`])
      expect((await api.call({ url: `${CHANGES_URL}?${query}` })).statusCode).toBe(400);
  });
});

it("changes older than eight days are deleted, and newer changes stay in the feed", async () => {
  const api = await SellerApi.open(service);
  const follower = await Follower.begin(api);
  await api.create();
  const rows = async () =>
    (
      await service.pool.query("select from record_change where seller_id = $1", [
        api.seller.seller_id,
      ])
    ).rowCount;
  const kept = await rows();
  await service.pool.query(
    "update record_change set recorded_at = recorded_at - interval '9 days' where seller_id = $1 and kind = 'customer'",
    [api.seller.seller_id],
  );
  await deleteOldChanges(service.pool, new Date(Date.now() - 8 * 86_400_000));
  expect(await rows()).toBe(Number(kept) - 1);
  expect(countOf(await follower.news())).toEqual({ "subscription created": 1 });
});
