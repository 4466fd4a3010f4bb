import { findTag, tagConditions } from "#lib/search-index/query/conditions.ts";
import { findRows } from "#lib/search-index/query/find-rows.ts";
import {
  findNotedPhones,
  findPhonesOf,
  indexedCustomerQuery,
} from "#lib/search-index/query/search-records.ts";
import { searchTerms } from "#lib/search-index/query/search-terms.ts";
import { pool } from "./dashboard-database.ts";
import type { Trial } from "./search-index-queries.ts";

const PAGE = { page: 1, page_size: 20 };

/** Calls of the functions that find customers by tags and notes. */
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
};
