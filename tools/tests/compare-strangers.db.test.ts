import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { recordReceivedEvent } from "#lib/search-index/sync/received-events.ts";
import * as counting from "#lib/search-index/compare/count-records.ts";
import * as data from "#lib/search-index/compare/store.ts";
import { judge } from "#lib/reconciliation/judging/data.ts";
import * as reading from "#lib/search-index/compare/read-records.ts";
import { stepCheck, type Claimed, type Desk } from "#lib/search-index/compare/step.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { ChangingService } from "../testing/changing-service.ts";
import { compareAll } from "../testing/compare-steps.ts";
import { newOwner, turn } from "../testing/copy-desk.ts";
import { EMPTY, tryAsStrangers } from "../testing/copy-strangers.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard.ts";

const FAR = "2999-01-01T00:00:00Z";

/** As the stranger, on the owner's comparison: an id that was overheard must open nothing. */
const TRIALS: Record<string, (who: KeyOwner) => Promise<unknown>> = {
  "data.ts selectReconciliation": (who) => data.selectReconciliation(pool, who),
  "data.ts startCheck": (who) => data.startCheck(pool, who, { reach: "all", user_id: null }),
  "data.ts pauseCheck": (who) => data.pauseCheck(pool, who, check.id, true),
  "data.ts repairCheck": (who) => data.repairCheck(pool, who, check.id, "records"),
  "step/data.ts stepCheck": (who) => stepCheck(deskOf(who), check.id),
  "counting/data.ts countService": (who) => counting.countService(deskOf(who), check),
  "counting/data.ts countCopied": (who) => counting.countCopied(pool, who),
  "counting/data.ts nameStatus": (who) =>
    counting.nameStatus(deskOf(who), { ...check, place: { statuses: ["active"] } }),
  "counting/data.ts walkPages": (who) => counting.walkPages(deskOf(who), check),
  "reading/data.ts noteSeen": (who) => reading.noteSeen(deskOf(who), check, [], FAR),
  "reading/data.ts askFor": (who) => reading.askFor(pool, who, check, ["sub-2"]),
  "reading/data.ts readWaiting": (who) => reading.readWaiting(deskOf(who), check),
  "judging/data.ts judge": (who) => judge(deskOf(who), check),
};

useDashboardDatabase();
let owner: KeyOwner;
let check: Claimed;

const deskOf = (who: KeyOwner): Desk => ({ db: pool, owner: who, api: EMPTY, calls: 2 });

/** A comparison with something of every kind in it. */
beforeAll(async () => {
  owner = await newOwner();
  const api = new ChangingService();
  api.fill(9);
  api.change(0, { status: "due" });
  await turn(owner, api);
  const said = { event: "checkout.succeeded", new_status: "cancelled" };
  await recordReceivedEvent(pool, owner, { subscription_id: "sub-9", ...said });
  await recordReceivedEvent(pool, owner, { subscription_id: "sub-99", ...said });
  api.remove(3);
  const { id } = await compareAll(owner, api);
  check = { id, reach: "all", phase: "counting", place: {}, report: {}, is_again: false };
});

const TABLES = [
  "mirror",
  "mirror_hint",
  "mirror_event",
  "reconciliation",
  "reconciliation_record",
];

tryAsStrangers(() => owner, TABLES, TRIALS);

test("their own seller finds what the trials look for", async () => {
  const view = await data.selectReconciliation(pool, owner);
  expect(view.last?.differences.shown).toHaveLength(1);
  const report = JSON.stringify(view.last?.report);
  expect(report).toMatch(/"contrary":.*sub-9/);
  expect(report).toMatch(/"unknown":.*sub-99/);
});

test("no function that asks the database is left out", () => {
  const files = globSync("lib/reconciliation/**/data.ts", { cwd: ROOT });
  const untried = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    const within = file.replaceAll("\\", "/").replace("lib/reconciliation/", "");
    return (
      [...text.matchAll(/^export async function (\w+)\(\s*(\w+)/gm)]
        // Whoever starts at a scope asks for the seller there: the doors are tried in e2e/refusals.
        .filter(([, , first]) => first !== "scope")
        .map(([, name]) => `${within} ${name}`)
        .filter((name) => !(name in TRIALS))
    );
  });
  expect(files.length).toBeGreaterThan(4);
  expect(untried).toEqual([]);
});
