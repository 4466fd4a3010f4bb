import { expect, test } from "vitest";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  addIndex,
  createIndexedSeller,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import { parseLine } from "#lib/subscriptions/query-line.ts";
import { parseSubscriptionSearch, type SubscriptionSearch } from "#lib/subscriptions/search.ts";
import {
  findIndexedCustomer,
  searchCustomers,
  searchIndexedProducts,
  type IndexAnswer,
} from "#lib/search-index/query/search-records.ts";
import {
  searchSubscriptions,
  searchSubscriptionsOf,
} from "#lib/search-index/query/subscription-query.ts";

useDashboardDatabase();
const HOME = { time_zone: "Asia/Kathmandu" };

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

test("the search never finds records of another seller or mode", async () => {
  const asha = { id: 1, buyer_phone: "9800000001", buyer_email: "", full_name: "Asha" };
  const customers = [{ ...asha, created_at: "2026-01-01T00:00:00Z" }];
  const records = { subscriptions: [named("Asha", { phone: "9800000001" })], customers };
  const own = await createIndexedSeller(pool);
  const live = { ...own, mode: "live" } as const;
  await addIndex(pool, live, records);
  const other = await createIndexedSeller(pool, records);
  const first = { page: 1, page_size: 20 };
  const ofAsha = (owner: KeyOwner) =>
    searchSubscriptionsOf(pool, owner, "1", first, HOME).then((found) =>
      found ? ready(found).results : [],
    );
  const asked = async (owner: KeyOwner) => [
    ...ready(await ask(owner, "asha")).results,
    ...ready(await ask(owner, "ashaa")).results,
    ...ready(await ask(owner, "product:milk", { sort: "-price" })).results,
    ...(await ofAsha(owner)),
    ...ready(await searchCustomers(pool, owner, "asha", first)).results,
    ...ready(await searchIndexedProducts(pool, owner, "", first)).results,
  ];
  expect(await asked(own)).toEqual([]);
  expect(await asked(live)).toHaveLength(5);
  expect(await asked(other)).toHaveLength(5);
});

test("a customer's subscriptions are found by phone number, and a customer without a phone number has none", async () => {
  const subscriptions = [
    named("Asha", { phone: "+977 980 0000001" }),
    named("Asha's other name", { phone: "९८०००००००१" }),
    named("Bob", { phone: "9800000002" }),
    named("No number", { phone: "" }),
  ];
  const customers = ["9800000001", ""].map((buyer_phone, at) => ({
    id: at + 1,
    buyer_phone,
    buyer_email: "",
    full_name: "Asha",
    created_at: "2026-01-01T00:00:00Z",
  }));
  const owner = await createIndexedSeller(pool, { subscriptions, customers });
  const first = { page: 1, page_size: 20 };
  const of = async (id: string) =>
    searchSubscriptionsOf(pool, owner, id, first, HOME).then(
      (found) => found && ready(found).results.length,
    );
  expect(await of("1")).toBe(2);
  expect(await of("2")).toBe(0);
  // The index does not have this customer.
  expect(await of("3")).toBeNull();
  // No customer can have this id.
  expect(await of("a\0b")).toBeNull();
});

test.each([
  ["thapa ÉLISE", [1]],
  ["लिम्बू", [2]],
  ["buyer3@", [3]],
  ["+977 9801112222", [2]],
  ["९८०३३३", [3]],
  ["thapa ram", []],
  ["srijana limbu", [2]],
  ["थापा", [1]],
])(
  "the customer search by name, phone, email or similar sound finds the right customers for %s",
  async (text, ids) => {
    const names = ["Élise Thapa", "सृजना लिम्बू", "Ram"];
    const phones = ["9800000001", "+977 980-111-2222", "९८०३३३४४४४"];
    const customers = names.map((full_name, at) => ({
      id: at + 1,
      full_name,
      buyer_phone: phones[at] ?? "",
      buyer_email: `buyer${at + 1}@example.com`,
      created_at: "2026-11-20T00:00:00Z",
    }));
    const owner = await createIndexedSeller(pool, { customers });
    const found = ready(await searchCustomers(pool, owner, text, { page: 1, page_size: 20 }));
    expect(found.results.map(({ id }) => id)).toEqual(ids);
  },
);

/** How buyers and staff write a phone number, for each country where many Nepalis work. */
const ABROAD: [string, string, string[]][] = [
  [
    "India",
    "Asia/Kolkata",
    ["+91 98765 43210", "0091-9876543210", "919876543210", "098765 43210", "9876543210"],
  ],
  [
    "the Emirates",
    "Asia/Dubai",
    ["+971 50 123 4567", "+971 (0)50 1234567", "971501234567", "050 123 4567"],
  ],
  ["Qatar", "Asia/Qatar", ["+974 3312 3456", "0097433123456", "97433123456", "33123456"]],
  ["Malaysia", "Asia/Kuala_Lumpur", ["+60 12-345 6789", "+60 (0)123456789", "012-345 6789"]],
];

test.each(ABROAD)(
  "the search finds a phone number from %s in all its usual spellings",
  async (_, time_zone, spellings) => {
    // Another customer, whom no spelling may find.
    const customers = [...spellings, "+977 9841234567"].map((buyer_phone, at) => ({
      id: at + 1,
      buyer_phone,
      buyer_email: "",
      full_name: "Asha",
      created_at: "2026-11-20T00:00:00Z",
    }));
    const subscriptions = spellings.map((phone) => named("Asha", { phone }));
    const owner = await createIndexedSeller(pool, { customers, subscriptions });
    const paging = { page: 1, page_size: 20 };
    for (const text of spellings) {
      const found = ready(await searchCustomers(pool, owner, text, paging));
      expect([text, found.count]).toEqual([text, spellings.length]);
      const known = await findIndexedCustomer(pool, owner, text, { time_zone });
      expect(spellings).toContain(known?.customer?.buyer_phone);
    }
    const own = await searchSubscriptionsOf(pool, owner, "1", paging, { time_zone });
    expect(own && ready(own).count).toBe(spellings.length);
  },
);
