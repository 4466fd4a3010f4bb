import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Asking, Told } from "#lib/billing/transport.ts";
import { tellFault } from "#lib/db/away.ts";
import { database } from "#lib/db/pool.ts";
import { leaveHints, wantRound } from "./refresh-queue.ts";
import { partKnown, rememberRows, touchKnown } from "./row-digests.ts";
import { keepShownPayments } from "#lib/search-index/sync/seen-payments.ts";
import { rowsOf } from "#lib/search-index/records/lists.ts";
import { leaveOutRepeated, type Passed } from "./drop-repeated.ts";
import { storeRows } from "./store.ts";
import { restartCopy } from "./restart.ts";

/** More than these nobody keeps waiting: the next look finds what was not written. */
const MOST_WAITING = 200;
/** Milliseconds: the answer is on its way by then, and whoever got it has not asked for another page. */
const PAUSE = 10;
/** Milliseconds: that a record was asked for again is nothing that a page shows. */
const LONG_PAUSE = 1_000;
const waiting: Passed[] = [];
const unchanged: Passed[] = [];
let running: Promise<void> | null = null;
let settling: Promise<void> | null = null;

/** Puts what a person's call told into the copy, behind their back: it can neither fail nor wait. */
export function passOn(owner: KeyOwner, told: Told, asking: Asking): void {
  if (waiting.length >= MOST_WAITING) return;
  waiting.push({ owner, told, asking });
  running ??= writeAll().finally(() => (running = null));
}

/** One after the other, so that pages leave no more than one connection to it. */
async function writeAll(): Promise<void> {
  while (waiting.length > 0) {
    // What was changed is read again in time for the page that comes next.
    if (waiting.every(({ told }) => told.kind === "rows"))
      await delay(PAUSE, undefined, { ref: false });
    for (const one of leaveOutRepeated(waiting.splice(0))) await keep(putOff(one));
  }
}

/** @returns what of it is news; what this process has seen in the copy waits for more of its kind */
function putOff(one: Passed): Passed {
  const { owner, told, asking } = one;
  if (told.kind !== "rows") return one;
  const { same, news } = partKnown({ ...owner, copy: asking.copy }, told.list, told.records);
  if (same.length > 0 && unchanged.length < MOST_WAITING) {
    unchanged.push({ ...one, told: { ...told, records: same } });
    settling ??= settle().finally(() => (settling = null));
  }
  return { ...one, told: { ...told, records: news } };
}

async function settle(): Promise<void> {
  await delay(LONG_PAUSE, undefined, { ref: false });
  for (const one of leaveOutRepeated(unchanged.splice(0))) await keep(one);
}

async function keep({ owner, told, asking }: Passed): Promise<void> {
  await keepTold(database(), owner, told, asking).catch((error: unknown) =>
    tellFault("copy: an answer that passed was not kept", error),
  );
}

/** What a call told goes into that seller's copy, or is noted for being read again. */
export async function keepTold(
  db: pg.Pool,
  owner: KeyOwner,
  told: Told,
  { copy, asked_at }: Asking,
): Promise<void> {
  if (told.kind === "replaced") return restartCopy(db, owner);
  if (told.kind === "all_changed") return void (await wantRound(db, owner));
  if (told.kind === "changed") return leaveHints(db, owner, "subscriptions", [told.id]);
  const whose = { ...owner, copy };
  const { list } = told;
  if (told.records.length === 0) return;
  const rows = rowsOf(list, await touchKnown(db, whose, list, told.records, asked_at));
  await storeRows(db, whose, list, rows, asked_at);
  if (list === "subscriptions" && rows.length > 0) await keepShownPayments(db, owner);
  rememberRows(whose, list, rows, asked_at);
}
