import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { learnTerms } from "#lib/search-index/records/terms.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { ChangingService } from "../testing/changing-service.ts";
import { newOwner, runSlice } from "../testing/search-index-fixture.ts";
import { testIsolation } from "../testing/isolation.ts";
import { OWN_WORD, TRIALS, withSync } from "../testing/search-index-queries.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";

/** These name nobody: they are the worker's own, or hold on to a claim that they were given. */
const NOBODYS = new Set([
  "sync-lease.ts acquireSyncLease",
  "sync-lease.ts releaseSyncLeases",
  "sync-lease.ts msUntilDue",
  // Counts of all of them, for whoever runs Duebook.
  "index-ages.ts readIndexAges",
  // They are handed what to read.
  "search-records.ts listFrom",
  "refresh-queue.ts tryRead",
  "full-sync.ts readPage",
]);

useDashboardDatabase();
let owner: KeyOwner;

beforeAll(async () => {
  owner = await newOwner();
  const api = new ChangingService();
  api.fill(9);
  await runSlice(owner, api);
  const words = [{ words: [`=${OWN_WORD}`, `~${OWN_WORD}`] }];
  await withSync(owner, ({ claimed }) => learnTerms(pool, claimed, words));
});

const TABLES = [
  "mirror",
  "mirror_round",
  "mirror_hint",
  "mirror_word",
  "mirror_subscription",
  "mirror_change",
  "mirror_counted",
  "mirror_customer",
  "mirror_product",
];

testIsolation(
  () => owner,
  TABLES,
  Object.fromEntries(Object.entries(TRIALS).map(([name, { run }]) => [name, run])),
);

test.each(Object.keys(TRIALS).filter((name) => TRIALS[name]?.isRead))(
  "their own seller finds by %s",
  async (name) => {
    expect(JSON.stringify(await TRIALS[name]?.run(owner))).toMatch(/Buyer|Fibre/);
  },
);

test("no function that asks the database is left out", () => {
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
  const untried = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    const parts = text.split(/^export (?=async function |function |const \w+ = )/m).slice(1);
    return parts.flatMap((part) => {
      const name = `${file.split("/").at(-1)} ${/^(?:async function|function|const) (\w+)/.exec(part)?.[1]}`;
      const isAsking = /^async function|^const \w+ = (?:async )?\([^]*?\.query\(/.test(part);
      // Whoever starts at a scope asks for the seller there: the doors are tried in e2e/refusals.
      const isDoor = /await requireSeller\(\s*scope,/.test(part.split("\n}\n")[0] ?? "");
      return !isAsking || isDoor || NOBODYS.has(name) || name in TRIALS ? [] : [name];
    });
  });
  expect(untried).toEqual([]);
});
