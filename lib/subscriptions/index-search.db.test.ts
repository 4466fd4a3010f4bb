import { describe, expect, test } from "vitest";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import { parseLine } from "#lib/subscriptions/query-line.ts";
import { parseSubscriptionSearch, type SubscriptionSearch } from "#lib/subscriptions/search.ts";
import type { IndexAnswer } from "#lib/search-index/query/search-records.ts";
import { SORTS } from "#lib/search-index/query/subscription-filters.ts";
import { searchSubscriptions } from "#lib/search-index/query/subscription-query.ts";

useDashboardDatabase();

const named = (full_name: string, more: Partial<Subscription["client"]> = {}) =>
  makeSubscription({ client: { full_name, ...more } });

/** Searches by a search line as a user types it. */
function ask(owner: KeyOwner, line: string, more: Partial<SubscriptionSearch> = {}) {
  const { words, filters } = parseLine(line);
  const search = { ...parseSubscriptionSearch({}), ...filters, ...more };
  return searchSubscriptions(pool, owner, { search, words, time_zone: "Asia/Kathmandu" });
}

function ready<Row>(found: IndexAnswer<Row>) {
  if (found.state !== "ready") throw new Error(`the index is ${found.state}`);
  return found;
}

const namesIn = async (...question: Parameters<typeof ask>) =>
  ready(await ask(...question)).results.map(({ client }) => client.full_name);

describe("the subscription search", () => {
  const records = [
    named("सरस्वती श्रेष्ठ", { phone: "+977 980-0000001", email: "sara@himal.example" }),
    named("Bishnu Prasad Chhetri", { phone: "01-4412345" }),
    named("O'Neill 100%_sure", { phone: "+91 98765 43210" }),
    named("Maya", {
      billing: {
        business_name: "Annapurna Dairy",
        email: "bills@annapurna.example",
        address: "",
        pan_vat: "012345678",
      },
    }),
    makeSubscription({
      subscription_id: "7c1a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b",
      client: { full_name: "Hari", phone: "9811111111" },
      product: { name: "घ्यू Ghee", plan_name: "Gold Plus" },
    }),
  ];

  test.each([
    ["सरस्वती", "सरस्वती श्रेष्ठ"],
    ["saraswati", "सरस्वती श्रेष्ठ"],
    ["Sarasvatee Shresta", "सरस्वती श्रेष्ठ"],
    ["saras", "सरस्वती श्रेष्ठ"],
    ["विष्णु", "Bishnu Prasad Chhetri"],
    ["vishnu kshetri", "Bishnu Prasad Chhetri"],
    ["chhetri bishnu", "Bishnu Prasad Chhetri"],
    ["bis", "Bishnu Prasad Chhetri"],
    ["9800000001", "सरस्वती श्रेष्ठ"],
    ["980 000 0001", "सरस्वती श्रेष्ठ"],
    ["+977-9800000001", "सरस्वती श्रेष्ठ"],
    ["00977 98 0000 0001", "सरस्वती श्रेष्ठ"],
    ["९८०००००००१", "सरस्वती श्रेष्ठ"],
    ["sara 9800000001", "सरस्वती श्रेष्ठ"],
    ["0001", "सरस्वती श्रेष्ठ"],
    ["43210", "O'Neill 100%_sure"],
    ["hetri", "Bishnu Prasad Chhetri"],
    ["himal.ex", "सरस्वती श्रेष्ठ"],
    ["14412345", "Bishnu Prasad Chhetri"],
    ["+977 1 4412345", "Bishnu Prasad Chhetri"],
    ["98765 43210", "O'Neill 100%_sure"],
    ["sara@himal.example", "सरस्वती श्रेष्ठ"],
    ["SARA@HIMAL", "सरस्वती श्रेष्ठ"],
    ["annapurna", "Maya"],
    ["012345678", "Maya"],
    ["bills@annapurna.example", "Maya"],
    ["7c1a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b", "Hari"],
    ["7C1A2B3C", "Hari"],
    ["gold hari", "Hari"],
    ["घ्यू", "Hari"],
    ["oneill", "O'Neill 100%_sure"],
    ["O'Neill", "O'Neill 100%_sure"],
  ])("finds the buyer whose subscription matches the text %s", async (typed, name) => {
    const owner = await createIndexedSeller(pool, { subscriptions: records });
    const found = ready(await ask(owner, typed));
    expect(found.results.map(({ client }) => client.full_name)).toEqual([name]);
    expect(found).toMatchObject({
      count: 1,
      is_near: false,
      is_capped: false,
      has_next: false,
    });
  });

  test.each([
    ["sarswoti", "सरस्वती श्रेष्ठ"],
    ["shrsetha", "सरस्वती श्रेष्ठ"],
    ["bihsnu prasda", "Bishnu Prasad Chhetri"],
    ["chetir", "Bishnu Prasad Chhetri"],
    ["bishmu prasda", "Bishnu Prasad Chhetri"],
    ["annapurma dairi", "Maya"],
  ])("finds the buyer despite the misspelling %s", async (typed, name) => {
    const owner = await createIndexedSeller(pool, { subscriptions: records });
    const found = ready(await ask(owner, typed));
    expect(found.results[0]?.client.full_name).toBe(name);
    expect(found.is_near).toBe(true);
  });

  test.each(["%", "_", "100%x", "\\", "a%b", "' or true --", "zzzz", "9899999999"])(
    "finds no buyer by the text %s, or lists all if it is only punctuation",
    async (typed) => {
      const owner = await createIndexedSeller(pool, {
        subscriptions: [named("Anne"), named("Bob")],
      });
      const names = await namesIn(owner, typed);
      // A text of punctuation only is no search text, so everything is listed.
      expect(names).toEqual(/[\p{L}\d]/u.test(typed) ? [] : ["Bob", "Anne"]);
    },
  );

  test("ranks a name with the same beginning before a name that only sounds similar", async () => {
    const subscriptions = [
      named("Saraswoti"),
      named("Ram Sarki"),
      named("Bisaria"),
    ].toReversed();
    const owner = await createIndexedSeller(pool, { subscriptions });
    expect(await namesIn(owner, "sara")).toEqual(["Saraswoti", "Ram Sarki"]);
  });
});

describe("the subscription list", () => {
  const at = (day: string) => `${day}T18:20:00Z`;
  const subscriptions = [
    makeSubscription({
      status: "due",
      is_active: false,
      next_billing_cycle: at("2026-11-30"),
      client: { full_name: "A" },
      product: { price: "499.99", plan_name: "Gold" },
    }),
    makeSubscription({
      next_billing_cycle: at("2026-12-01"),
      client: { full_name: "B" },
      product: { price: "500.00", plan_name: "Gold Plus" },
    }),
    makeSubscription({
      status: "pending_checkout",
      is_active: false,
      next_billing_cycle: null,
      client: { full_name: "C" },
      product: { price: "1500", plan_name: "Silver", product_id: "p-ghee", name: "Ghee" },
    }),
  ];

  test.each([
    ["status:due", ["A"]],
    ["plan:gold", ["A"]],
    ["plan:gol", ["A", "B"]],
    ["product:ghee", ["C"]],
    ["product:p-milk", ["A", "B"]],
    ['plan:"gold plus" product:milk', ["B"]],
    ["plan:platinum", []],
    // 18:20 in UTC is 00:05 of the next day in Kathmandu.
    ["next:2026-12-01", ["A"]],
    ["next:<2026-12-02", ["A"]],
    ["next:>=2026-12-02", ["B"]],
    ["price:>=500", ["B", "C"]],
    ["price:>500", ["C"]],
    ["price:<500.00", ["A"]],
    ["price:499.99..500", ["A", "B"]],
    ["a status:active", []],
    ["b kind:recurring", ["B"]],
    ["b kind:one_time", []],
    ["created:>2030-01-01", []],
  ])("has the rows that match %s", async (line, names) => {
    const owner = await createIndexedSeller(pool, { subscriptions });
    expect((await namesIn(owner, line)).toSorted()).toEqual(names);
  });

  test.each([
    ["next_billing", ["A", "B", "C"]],
    ["-next_billing", ["B", "A", "C"]],
    ["price", ["A", "B", "C"]],
    ["-price", ["C", "B", "A"]],
    ["-buyer", ["C", "B", "A"]],
    ["product", ["C", "A", "B"]],
    ["status", ["B", "A", "C"]],
    ["created", ["A", "B", "C"]],
    ["-created", ["C", "B", "A"]],
    ["phone", ["A", "B", "C"]],
    [null, ["C", "B", "A"]],
  ] as const)("is sorted by %s", async (sort, names) => {
    const owner = await createIndexedSeller(pool, { subscriptions });
    expect(await namesIn(owner, "", { sort })).toEqual(names);
    const pages = await Promise.all(
      [1, 2, 3].map((page) => namesIn(owner, "", { sort, page, page_size: 1 })),
    );
    expect(pages.flat()).toEqual(names);
  });
});

test("an ended subscription matches no filter by billing date and is last in the order by billing date", async () => {
  const subscriptions = ["cancelled", "due", "inactive"].map((status) =>
    makeSubscription({ status, client: { full_name: status } }),
  );
  const owner = await createIndexedSeller(pool, { subscriptions });
  expect(await namesIn(owner, "next:>2000-01-01")).toEqual(["due"]);
  expect((await namesIn(owner, "", { sort: "next_billing" }))[0]).toBe("due");
  expect((await namesIn(owner, "", { sort: "-next_billing" }))[0]).toBe("due");
});

test("the search finds all names that begin with the typed letters, even if there are many", async () => {
  const subscriptions = Array.from("abcdefghijklmnopqrstuvwxyz", (letter) =>
    named(`Mo${letter}i ${letter}mole`),
  );
  const owner = await createIndexedSeller(pool, { subscriptions });
  expect(ready(await ask(owner, "mo")).count).toBe(26);
  // Letters within the second name match too.
  expect(ready(await ask(owner, "mole")).count).toBe(26);
  expect(await namesIn(owner, "tmole")).toEqual(["Moti tmole"]);
});

test("search results are sorted by any column", async () => {
  const subscriptions = ["10.00", "9.00"].map((price) =>
    makeSubscription({ client: { full_name: `Asha ${price}` }, product: { price } }),
  );
  const owner = await createIndexedSeller(pool, { subscriptions });
  for (const sort of SORTS) {
    expect(await namesIn(owner, "asha", { sort })).toHaveLength(2);
    expect(await namesIn(owner, "asha", { sort: `-${sort}` })).toHaveLength(2);
  }
  expect(await namesIn(owner, "asha", { sort: "price" })).toEqual(["Asha 9.00", "Asha 10.00"]);
});

test("the subscription list ends at page 501 and counts at most 10,000 subscriptions", async () => {
  const owner = await createIndexedSeller(pool, {
    subscriptions: Array.from({ length: 10_002 }, () => makeSubscription()),
  });
  const first = ready(await ask(owner, ""));
  expect(first).toMatchObject({ count: 10_000, is_capped: true, has_next: true });
  const last = ready(await ask(owner, "", { page: 501 }));
  expect([last.results.length, last.has_next]).toEqual([2, false]);
  expect(ready(await ask(owner, "", { page: 502 })).results).toEqual([]);
});

test("a search with many matches shows the newest ones first, and counts all of them only on the last page", async () => {
  const old = named("Old Asha");
  const subscriptions = Array.from({ length: 2_400 }, () => named("Asha Thapa"));
  const owner = await createIndexedSeller(pool, { subscriptions: [old, ...subscriptions] });
  // Sets the state that a full sync of the list leaves.
  await pool.query(
    `insert into mirror_round (seller_id, mode, list, kind, total)
     values ($1, $2, 'subscriptions', 'fill', 2401)`,
    [owner.seller_id, owner.mode],
  );
  const newest = subscriptions.toReversed().map(({ subscription_id }) => subscription_id);
  const first = ready(await ask(owner, "asha"));
  expect(first.results.map((found) => found.subscription_id)).toEqual(newest.slice(0, 20));
  expect(first).toMatchObject({ count: 1_990, is_capped: true, has_next: true });
  const last = ready(await ask(owner, "asha", { page: 121 }));
  expect(last.results.map(({ client }) => client.full_name)).toEqual(["Old Asha"]);
  expect(last).toMatchObject({ count: 2_401, is_capped: false, has_next: false });
  expect(await namesIn(owner, "old asha")).toEqual(["Old Asha"]);
});

test("an incomplete or missing search index is not searched, and is reported as filling", async () => {
  const owner = await createIndexedSeller(pool, { subscriptions: [named("Asha")] });
  await pool.query("update mirror set filled_at = null where seller_id = $1", [
    owner.seller_id,
  ]);
  expect(await ask(owner, "asha")).toEqual({ state: "filling", read: 0, total: null });
  await pool.query("update mirror set filled_at = null where seller_id = $1", [
    owner.seller_id,
  ]);
  expect(await ask(owner, "asha")).toEqual({ state: "filling", read: 0, total: null });
  expect(await ask({ ...owner, mode: "live" }, "asha")).toEqual({
    state: "filling",
    read: 0,
    total: null,
  });
});
