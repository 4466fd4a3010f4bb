import { describe, expect, test } from "vitest";
import { failureOf } from "#lib/failure.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  addIndex,
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "#tools/testing/fixtures/records-fixture.ts";
import { searchSubscriptions } from "#lib/search-index/query/subscription-query.ts";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { createPerson } from "#tools/testing/person.ts";
import * as data from "./store.ts";
import {
  arrangeViews,
  countMatchesOfViews,
  deleteView,
  insertView,
  setViewShared,
  selectViews,
  updateView,
  type Viewer,
} from "./store.ts";
import { MAX_VIEWS } from "./rules.ts";

useDashboardDatabase();

async function join(
  owner: Pick<Viewer, "seller_id" | "mode">,
  may_share = true,
): Promise<Viewer> {
  const { id: user_id } = await createPerson(pool);
  await pool.query(
    "insert into membership (user_id, seller_id, role) values ($1, $2, 'support')",
    [user_id, owner.seller_id],
  );
  return { ...owner, user_id, may_share };
}

const someone = async () => join(await createIndexedSeller(pool));

const save = (
  viewer: Viewer,
  name: string,
  more: { is_shared?: boolean; query?: string; words?: string } = {},
) =>
  insertView(pool, viewer, { name, is_shared: false, query: "status=due", words: "", ...more });

const namesOf = async (viewer: Viewer) =>
  (await selectViews(pool, viewer)).map(({ name }) => name);

const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => "done",
    (error: unknown) => failureOf(error).kind,
  );

test("a user's own views are listed in their chosen order, before the shared views", async () => {
  const asha = await someone();
  await save(asha, "For all", { is_shared: true });
  await save(asha, "First");
  const second = await save(asha, "Second", { query: "plan=Gold&sort=-price", words: "आशा" });
  const views = await selectViews(pool, asha);
  expect(views.map(({ name, is_shared }) => [name, is_shared])).toEqual([
    ["First", false],
    ["Second", false],
    ["For all", true],
  ]);
  expect(views[1]).toEqual({
    id: second,
    name: "Second",
    is_shared: false,
    query: "plan=Gold&sort=-price",
    words: "आशा",
  });
  await arrangeViews(pool, asha, [second, views[0]?.id ?? ""]);
  expect(await namesOf(asha)).toEqual(["Second", "First", "For all"]);
  await updateView(pool, asha, second, { name: "Other", words: "" });
  expect(await selectViews(pool, asha)).toMatchObject([
    { name: "Other", query: "plan=Gold&sort=-price", words: "" },
    { name: "First" },
    { name: "For all" },
  ]);
});

describe("saved views of another user, seller or mode", () => {
  const ways: Record<string, (viewer: Viewer, id: string) => Promise<unknown>> = {
    updateView: (viewer, id) => updateView(pool, viewer, id, { name: "Taken" }),
    setViewShared: (viewer, id) => setViewShared(pool, viewer, id, true),
    "setViewShared back": (viewer, id) => setViewShared(pool, viewer, id, false),
    deleteView: (viewer, id) => deleteView(pool, viewer, id),
    arrangeViews: (viewer, id) => arrangeViews(pool, viewer, [id]),
  };

  test("are tested with every function that changes views", () => {
    const others = [selectViews, countMatchesOfViews, insertView].map(({ name }) => name);
    const known = [...Object.keys(ways), ...others];
    expect(Object.keys(data).filter((name) => !known.includes(name))).toEqual([]);
  });

  async function strangersOf(asha: Viewer) {
    const live = { ...asha, mode: "live" } as const;
    const other = await someone();
    return { live, other, otherAsAsha: { ...other, user_id: asha.user_id } };
  }

  test("cannot be read", async () => {
    const asha = await someone();
    const maya = await join(asha);
    await save(asha, "Own");
    await save(asha, "For all", { is_shared: true });
    expect(await namesOf(maya)).toEqual(["For all"]);
    for (const viewer of Object.values(await strangersOf(asha))) {
      expect(await selectViews(pool, viewer)).toEqual([]);
      const counted = await countMatchesOfViews(pool, viewer, "UTC");
      expect("counts" in counted ? counted.counts : {}).toEqual({});
    }
  });

  test.each(Object.entries(ways))("cannot be changed by %s", async (_name, way) => {
    const asha = await someone();
    const maya = await join(asha);
    const own = await save(asha, "Own");
    const shared = await save(asha, "For all", { is_shared: true });
    const before = await selectViews(pool, asha);
    expect(await refusalOf(way(maya, own))).toBe("not_found");
    for (const viewer of Object.values(await strangersOf(asha)))
      for (const id of [own, shared])
        expect(await refusalOf(way(viewer, id))).toBe("not_found");
    const reader = await join(asha, false);
    expect(await refusalOf(way(reader, shared))).toBe("forbidden");
    expect(await selectViews(pool, asha)).toEqual(before);
  });

  test("cannot be replaced by reusing their id, and only members with the permission can share a view", async () => {
    const asha = await someone();
    const reader = await join(asha, false);
    expect(await refusalOf(save(reader, "For all", { is_shared: true }))).toBe("forbidden");
    const own = await save(asha, "Own");
    const again = { id: own, name: "Mine", is_shared: false, query: "", words: "" };
    expect(await refusalOf(insertView(pool, reader, again))).toBe("conflict");
    expect(await namesOf(reader)).toEqual([]);
  });
});

test("a view name is unique among a user's own views and among shared views, ignoring case", async () => {
  const asha = await someone();
  const maya = await join(asha);
  await save(asha, "Due");
  expect(await refusalOf(save(asha, "DUE"))).toBe("conflict");
  await save(maya, "Due");
  await save(maya, "Due", { is_shared: true });
  expect(await refusalOf(save(asha, "due", { is_shared: true }))).toBe("conflict");
  const late = await save(asha, "Late");
  expect(await refusalOf(updateView(pool, asha, late, { name: "due" }))).toBe("conflict");
  const own = (await selectViews(pool, asha))[0]?.id ?? "";
  expect(await refusalOf(setViewShared(pool, asha, own, true))).toBe("conflict");
});

test("the number of views per user and of shared views is limited", async () => {
  const asha = await someone();
  for (let at = 0; at < MAX_VIEWS; at += 1) await save(asha, `View ${at}`);
  expect(await refusalOf(save(asha, "One more"))).toBe("conflict");
  const shared = await save(asha, "Shared", { is_shared: true });
  expect(await refusalOf(setViewShared(pool, asha, shared, false))).toBe("conflict");
  const maya = await join(asha);
  await setViewShared(pool, maya, shared, false);
  expect(await namesOf(maya)).toEqual(["Shared"]);
  expect(await namesOf(asha)).toHaveLength(MAX_VIEWS);
});

test("a deleted view can be restored with its id", async () => {
  const asha = await someone();
  const id = await save(asha, "Due", { words: "asha" });
  const { is_shared, name, query, words } = await deleteView(pool, asha, id);
  expect(await namesOf(asha)).toEqual([]);
  expect(await insertView(pool, asha, { id, is_shared, name, query, words })).toBe(id);
  expect(await selectViews(pool, asha)).toMatchObject([{ id, name: "Due", words: "asha" }]);
});

test("removing a member deletes the member's own views and keeps the shared ones", async () => {
  const asha = await someone();
  const maya = await join(asha);
  await save(asha, "Own");
  await save(asha, "For all", { is_shared: true });
  await pool.query("delete from membership where user_id = $1", [asha.user_id]);
  const { rows } = await pool.query("select name from saved_view where seller_id = $1", [
    asha.seller_id,
  ]);
  expect(rows).toEqual([{ name: "For all" }]);
  expect(await namesOf(maya)).toEqual(["For all"]);
});

test("a view's count equals its list's, and there is none while the search index is filling", async () => {
  const owner = await createIndexedSeller(pool, {
    subscriptions: [
      makeSubscription({ status: "due", client: { full_name: "Asha" } }),
      makeSubscription({ status: "due", product: { plan_name: "Gold" } }),
      makeSubscription({ client: { full_name: "Asha" } }),
    ],
  });
  await addIndex(
    pool,
    { ...owner, mode: "live" },
    { subscriptions: [makeSubscription({ status: "due" })] },
  );
  const viewer = await join(owner);
  const due = await save(viewer, "Due");
  const gold = await save(viewer, "Gold", { query: "status=due&plan=gold", is_shared: true });
  const asha = await save(viewer, "Asha", { query: "", words: "asha" });
  const counted = () => countMatchesOfViews(pool, viewer, "Asia/Kathmandu");
  const of = (count: number) => ({ count, is_capped: false });
  expect(await counted()).toMatchObject({
    state: "ready",
    counts: { [due]: of(2), [gold]: of(1), [asha]: of(2) },
  });
  await storeRecords(pool, owner, { subscriptions: [makeSubscription({ status: "due" })] });
  expect(await counted()).toMatchObject({ counts: { [due]: of(3) } });
  await pool.query("update mirror set filled_at = null where seller_id = $1", [
    owner.seller_id,
  ]);
  expect(await counted()).toEqual({ state: "filling", read: 0, total: null });
});

test("a view with more than 10,000 subscriptions is counted as 10,000, like its list", async () => {
  const subscriptions = Array.from({ length: 10_001 }, () => makeSubscription());
  const viewer = await join(await createIndexedSeller(pool, { subscriptions }));
  const id = await save(viewer, "All", { query: "" });
  expect(await countMatchesOfViews(pool, viewer, "UTC")).toMatchObject({
    counts: { [id]: { count: 10_000, is_capped: true } },
  });
});

test("the count of a view with a common search name equals the incomplete count of its list", async () => {
  const subscriptions = Array.from({ length: 2_401 }, () =>
    makeSubscription({ client: { full_name: "Asha Thapa" } }),
  );
  const owner = await createIndexedSeller(pool, { subscriptions });
  await pool.query(
    `insert into mirror_round (seller_id, mode, list, kind, total)
     values ($1, $2, 'subscriptions', 'fill', 2401)`,
    [owner.seller_id, owner.mode],
  );
  const viewer = await join(owner);
  const id = await save(viewer, "Asha", { query: "", words: "asha" });
  const search = parseSubscriptionSearch({});
  const listed = await searchSubscriptions(pool, owner, {
    search,
    words: "asha",
    time_zone: "UTC",
  });
  expect(listed).toMatchObject({ count: 1_990, is_capped: true });
  expect(await countMatchesOfViews(pool, viewer, "UTC")).toMatchObject({
    counts: { [id]: { count: 1_990, is_capped: true } },
  });
});
