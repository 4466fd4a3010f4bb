import { findTag, tagConditions } from "#lib/search-index/query/conditions.ts";
import { findRows } from "#lib/search-index/query/find-rows.ts";
import { findIndexedIds, findKnownBuyers } from "#lib/search-index/query/known-buyers.ts";
import {
  findNotedPhones,
  findPhonesOf,
  indexedCustomerQuery,
} from "#lib/search-index/query/search-records.ts";
import { searchTerms } from "#lib/search-index/query/search-terms.ts";
import { pool } from "./dashboard-database.ts";
import { TEST_SUBSCRIPTION_ID, type Trial } from "./search-index-queries.ts";

const PAGE = { page: 1, page_size: 20 };

/** Calls of the functions that find customers by tags, notes and phones. */
export const TAG_TRIALS: Record<string, Trial> = {
  "conditions.ts findTag": { run: (who) => findTag(pool, who, "vip") },
  "conditions.ts tagConditions": { run: (who) => tagConditions(pool, who, "vip") },
  "search-records.ts indexedCustomerQuery": {
    run: async (who) => {
      const query = await indexedCustomerQuery(pool, who, "Buyer", PAGE);
      return findRows(pool, who, query);
    },
    isRead: true,
  },
  "search-records.ts findPhonesOf": { run: (who) => findPhonesOf(pool, who, ["s-1"]) },
  "search-records.ts findNotedPhones": {
    run: (who) => findNotedPhones(pool, who, searchTerms("Buyer")),
  },
  "known-buyers.ts findKnownBuyers": {
    run: async (who) => {
      const asked = { position: 1, keys: ["9800000003"], product_id: "none" };
      return (await findKnownBuyers(pool, who, [asked])).length > 0 && "Buyer";
    },
    isRead: true,
  },
  "known-buyers.ts findIndexedIds": {
    run: async (who) =>
      (await findIndexedIds(pool, who, [TEST_SUBSCRIPTION_ID])).size > 0 && "Buyer",
    isRead: true,
  },
};
