import * as fc from "fast-check";
import pg from "pg";
import { expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { readClock } from "#lib/db/pool.ts";
import { ChangingService } from "#tools/testing/servers/changing-service.ts";
import {
  expectIndexed,
  createIndexOwner,
  runSlice,
} from "#tools/testing/fixtures/search-index-fixture.ts";
import { database, pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { enqueueRefresh, requestFullSync } from "./refresh-queue.ts";
import { rowsOf } from "#lib/search-index/records/lists.ts";
import { storeRows } from "./store.ts";
import type { SyncSchedule } from "./sync-job.ts";

useDashboardDatabase();
let owner: KeyOwner;
let api: ChangingService;

interface RecordEvent {
  /** `read` is a user's read; its answer arrives some calls later. */
  kind: "create" | "change" | "remove" | "read";
  fate: "told" | "lost" | "doubled" | "late";
  at: number;
  wait: number;
}

const happenings = (kinds: RecordEvent["kind"][], fates: RecordEvent["fate"][]) =>
  fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      fate: fc.constantFrom(...fates),
      // Few rows, so that several events hit the same one; most are not on the newest page.
      at: fc.constantFrom(1, 8, 9, 17, 18),
      wait: fc.nat(3),
    }),
    { maxLength: 60 },
  );

const calls = fc.integer({ min: 1, max: 4 });

/** Runs full and incremental syncs while the events happen between calls, until all were delivered. */
async function playAll(happening: RecordEvent[], pace: Partial<SyncSchedule>) {
  const ahead = happening.map((one) => ({ ...one }));
  const late: (() => Promise<void>)[] = [];
  const tell = (id: string) => enqueueRefresh(pool, owner, "subscriptions", [id]);
  api.onCall = async () => {
    const [next] = ahead;
    if (!next || (next.wait -= 1) >= 0) return;
    ahead.shift();
    if (next.kind === "read") return void late.unshift(await passingRead(next.at));
    const id = happen(next);
    if (late.length > 3) await late.pop()?.();
    if (id === null || next.fate === "lost") return;
    if (next.fate === "late") return void late.unshift(() => tell(id));
    await tell(id);
    if (next.fate === "doubled") await tell(id);
  };
  await runSlice(owner, api, pace);
  while (ahead.length > 0) await runSlice(owner, api, pace);
  api.onCall = () => {};
  for (const happenNow of late) await happenNow();
}

/** @returns a function that writes the answer, as it was when requested, into the index */
async function passingRead(at: number): Promise<() => Promise<void>> {
  const { rows } = await pool.query<{ index_version: string }>(
    "select copy as index_version from mirror where seller_id = $1",
    [owner.seller_id],
  );
  const asked_at = await readClock(pool);
  const copy = { ...owner, index_version: rows[0]?.index_version ?? "" };
  const record = structuredClone(api.subscriptions[at % Math.max(1, api.subscriptions.length)]);
  const records = rowsOf("subscriptions", record ? [record] : []);
  return () => storeRows(pool, copy, "subscriptions", records, asked_at);
}

function happen({ kind, at }: RecordEvent): string | null {
  if (kind === "create") {
    for (let more = at % 9; more > 0; more -= 1) api.create();
    return api.create().subscription_id;
  }
  if (kind === "remove") return api.remove(at);
  return api.change(at, {
    status: at % 2 ? "due" : "cancelled",
    current_period_end: String(at),
  });
}

async function beginAnew(rows: number) {
  owner = await createIndexOwner();
  api = new ChangingService();
  api.fill(rows);
}

test("the index equals the API after the next full sync, whatever random changes happen meanwhile", async () => {
  const all = happenings(
    ["create", "change", "remove", "read"],
    ["told", "lost", "doubled", "late"],
  );
  await fc.assert(
    fc.asyncProperty(
      fc.nat(40),
      all,
      calls,
      fc.boolean(),
      async (rows, drawn, most, counts) => {
        await beginAnew(rows);
        api.isCounting = counts;
        await playAll(drawn, { calls: most, roundEvery: 0.01, turn: 20 });
        await requestFullSync(pool, owner);
        await runSlice(owner, api, { calls: most });
        await expectIndexed(owner, api);
      },
    ),
    { numRuns: 40 },
  );
});

test("created records and records reported by events are indexed without a full sync", async () => {
  const told = happenings(["create", "change", "read"], ["told", "doubled", "late"]);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(40),
      told,
      calls,
      fc.boolean(),
      async (rows, drawn, most, first) => {
        await beginAnew(rows);
        // Otherwise all events happen while the index fills, which would overwrite mistakes.
        if (first) await runSlice(owner, api, { calls: most });
        await playAll(drawn, { calls: most });
        await runSlice(owner, api, { calls: most });
        await expectIndexed(owner, api);
      },
    ),
    { numRuns: 40 },
  );
});

test("open pages are notified of changes in the search index, but not during the first full sync", async () => {
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  await listener.query("listen live");
  const told: { seller_id: string; kind: string; ids: string[] | null }[] = [];
  listener.on("notification", ({ payload = "" }) => told.push(JSON.parse(payload)));
  const owner = await createIndexOwner();
  const api = new ChangingService();
  api.fill(60);
  await runSlice(owner, api);
  await listener.query("select 1");
  expect(told).toEqual([]);
  api.change(2, { status: "due" });
  api.create();
  await enqueueRefresh(pool, owner, "subscriptions", ["sub-3"]);
  await runSlice(owner, api);
  await listener.query("select 1");
  expect(told.map(({ kind }) => kind)).toContain("change");
  expect(told.flatMap(({ ids }) => ids)).toHaveLength(2);
  await listener.end();
});
