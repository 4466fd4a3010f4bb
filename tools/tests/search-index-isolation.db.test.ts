import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { learnTerms } from "#lib/search-index/records/terms.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { ChangingService } from "../testing/servers/changing-service.ts";
import { createIndexOwner, runSlice } from "../testing/fixtures/search-index-fixture.ts";
import { FEED_TRIALS } from "../testing/feed-queries.ts";
import { TAG_TRIALS } from "../testing/tag-queries.ts";
import { testIsolation } from "../testing/isolation.ts";
import {
  OWNER_SEARCH_TERM,
  QUERY_TRIALS as OTHER_TRIALS,
  withSyncContext,
} from "../testing/search-index-queries.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";

/**
 * Functions that take no owner: the worker calls them, or the lease they get determines the owner.
 */
const WITHOUT_OWNER = new Set([
  "sync-lease.ts acquireSyncLease",
  "sync-lease.ts releaseSyncLeases",
  "sync-lease.ts msUntilDue",
  "sync-lease.ts findInterrupted",
  // Counts for the operator, over all sellers.
  "index-status.ts readIndexAges",
  // The caller passes the functions that read.
  "search-records.ts listFromApiOrIndex",
  "refresh-queue.ts readRecordOrFailure",
  "full-sync.ts readPage",
  // Queries nothing.
  "write-through.ts waitForWrites",
]);

useDashboardDatabase();
let owner: KeyOwner;

beforeAll(async () => {
  owner = await createIndexOwner();
  const api = new ChangingService();
  api.fill(9);
  await runSlice(owner, api);
  const words = [{ words: [`=${OWNER_SEARCH_TERM}`, `~${OWNER_SEARCH_TERM}`] }];
  await withSyncContext(owner, ({ claimed }) => learnTerms(pool, claimed, words));
});

const QUERY_TRIALS = { ...OTHER_TRIALS, ...FEED_TRIALS, ...TAG_TRIALS };
const TABLES = [
  "mirror",
  "mirror_round",
  "mirror_hint",
  "mirror_word",
  "mirror_subscription",
  "mirror_change",
  "mirror_counted",
  "mirror_sums",
  "mirror_sum",
  "mirror_customer",
  "mirror_product",
];

testIsolation(
  () => owner,
  TABLES,
  Object.fromEntries(Object.entries(QUERY_TRIALS).map(([name, { run }]) => [name, run])),
);

test.each(Object.keys(QUERY_TRIALS).filter((name) => QUERY_TRIALS[name]?.isRead))(
  "the owner finds the owner's own records by %s",
  async (name) => {
    expect(JSON.stringify(await QUERY_TRIALS[name]?.run(owner))).toMatch(/Buyer|Fibre/);
  },
);

test("every search-index function that queries the database is called in these isolation tests", () => {
  const files = globSync(
    [
      "lib/search-index/*.ts",
      "lib/search-index/{query,records,sync}/*.ts",
      "lib/reports/*-store.ts",
      "lib/reports/{read-report,report-statement}.ts",
    ],
    { cwd: ROOT },
  )
    .filter((file) => !file.endsWith(".test.ts") && !file.endsWith("actions.ts"))
    .map((file) => file.replaceAll("\\", "/"));
  expect(files.length).toBeGreaterThan(20);
  const untried = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    const parts = text.split(/^export (?=async function |function |const \w+ = )/m).slice(1);
    return parts.flatMap((part) => {
      const name = `${file.split("/").at(-1)} ${/^(?:async function|function|const) (\w+)/.exec(part)?.[1]}`;
      const isQuerying =
        /^async function|^const \w+ = (?:async )?\([^]*?(\.query\(|\b(query(Rows?|Value)|concernsRow)[<(])/.test(
          part,
        );
      // Functions that take a scope call requireSeller; e2e/access/refusals.spec.ts tests those.
      const isGuarded = /await requireSeller\(\s*scope,/.test(part.split("\n}\n")[0] ?? "");
      return !isQuerying || isGuarded || WITHOUT_OWNER.has(name) || name in QUERY_TRIALS
        ? []
        : [name];
    });
  });
  expect(untried).toEqual([]);
});
