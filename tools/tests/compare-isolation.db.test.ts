import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import * as counting from "#lib/search-index/compare/count-records.ts";
import * as reading from "#lib/search-index/compare/read-records.ts";
import {
  stepCompare,
  type CompareContext,
  type LeasedComparison,
} from "#lib/search-index/compare/step.ts";
import * as store from "#lib/search-index/compare/store.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { ChangingService } from "../testing/servers/changing-service.ts";
import { compareAll } from "../testing/compare-steps.ts";
import { createIndexOwner, runSlice } from "../testing/fixtures/search-index-fixture.ts";
import { EMPTY_SERVICE, testIsolation } from "../testing/isolation.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";

const FAR = "2999-01-01T00:00:00Z";

/** Each function, called by another seller with the id of the owner's comparison. */
const TRIALS: Record<string, (who: KeyOwner) => Promise<unknown>> = {
  "store.ts selectComparisons": (who) => store.selectComparisons(pool, who),
  "store.ts startComparison": (who) => store.startComparison(pool, who, null),
  "step.ts stepCompare": (who) => stepCompare(contextOf(who), comparison.id),
  "count-records.ts countRecords": (who) => counting.countRecords(contextOf(who), comparison),
  "count-records.ts countIndexed": (who) => counting.countIndexed(pool, who),
  "count-records.ts scanPages": (who) => counting.scanPages(contextOf(who), comparison),
  "read-records.ts settleEqualRecords": (who) =>
    reading.settleEqualRecords(contextOf(who), comparison, [], FAR),
  "read-records.ts compareWaitingRecords": (who) =>
    reading.compareWaitingRecords(contextOf(who), comparison),
};

useDashboardDatabase();
let owner: KeyOwner;
let comparison: LeasedComparison;

const contextOf = (who: KeyOwner): CompareContext => ({
  db: pool,
  owner: who,
  api: EMPTY_SERVICE,
  calls: 2,
});

/** Creates a comparison with a difference. */
beforeAll(async () => {
  owner = await createIndexOwner();
  const api = new ChangingService();
  api.fill(9);
  api.change(0, { status: "due" });
  await runSlice(owner, api);
  api.remove(3);
  const { id } = await compareAll(owner, api);
  comparison = { id, claim: id, reach: "all", phase: "counting", place: {}, report: {} };
});

const TABLES = ["mirror", "mirror_hint", "reconciliation", "reconciliation_record"];

testIsolation(() => owner, TABLES, TRIALS);

test("the owner finds the comparison results that another seller must not find", async () => {
  const { last } = await store.selectComparisons(pool, owner);
  expect(last?.differences).toHaveLength(1);
  expect(last?.report.counts).not.toEqual([]);
});

test("every comparison function that queries the database is called in these isolation tests", () => {
  const files = globSync("lib/search-index/compare/*.ts", { cwd: ROOT }).filter(
    (file) => !file.includes(".test."),
  );
  const untried = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    const within = file.replaceAll("\\", "/").replace("lib/search-index/compare/", "");
    return (
      [...text.matchAll(/^export async function (\w+)\(\s*(\w+)/gm)]
        // Functions that take a scope call requireSeller; e2e/access/refusals.spec.ts tests those.
        .filter(([, , first]) => first !== "scope")
        .map(([, name]) => `${within} ${name}`)
        .filter((name) => !(name in TRIALS))
    );
  });
  expect(files.length).toBeGreaterThan(4);
  expect(untried).toEqual([]);
});
