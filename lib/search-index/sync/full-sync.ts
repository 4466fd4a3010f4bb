import "server-only";
import { MAX_PAGE_SIZE } from "#contract/pagination.ts";
import { failureOf } from "#lib/failure.ts";
import { readClock } from "#lib/db/pool.ts";
import { HOLDING, whileHeld } from "./sync-lease.ts";
import { leaveHints } from "./refresh-queue.ts";
import {
  COPIED,
  LISTS,
  rowsOf,
  type Api,
  type List,
  type Page,
} from "#lib/search-index/records/lists.ts";
import { countSince, removeUnseen, storeRows } from "./store.ts";
import type { Desk } from "./sync-job.ts";
import { beginWalk, goOn, pagesAhead, type Footprint, type Walk } from "./pagination-scan.ts";

/** A page, or nothing where the list ended before it. */
export async function readPage(api: Api, list: List, page: number): Promise<Page> {
  try {
    const read = COPIED[list].readPage(api, { page, page_size: MAX_PAGE_SIZE });
    const { count, next, results } = await read;
    return { count, next, rows: rowsOf(list, results) };
  } catch (error) {
    if (page === 1 || failureOf(error).kind !== "not_found") throw error;
    return { count: null, next: null, rows: [] };
  }
}

interface Round {
  list: List;
  started_at: string;
  ended: boolean;
  next_page: number;
  total: number | null;
  is_whole: boolean;
  repeats: number;
  /** A whole look is due, by the clock or because it was asked for. */
  is_due: boolean;
}

/** Goes on with the first list that is not looked through. @returns false when all of them are */
export async function goRound(desk: Desk): Promise<boolean> {
  const rounds = await readRounds(desk);
  for (const list of LISTS) {
    const round = rounds.find((one) => one.list === list);
    if (round && !round.ended) return walkOn(desk, round);
    if (!round || round.is_due) return walkOn(desk, await beginRound(desk, list, 0));
  }
  return false;
}

const ROUND = `list, started_at::text, ended_at is not null as ended, next_page, total, is_whole,
  repeats`;

async function readRounds({ db, claimed, roundEvery }: Desk): Promise<Round[]> {
  const { rows } = await db.query<Round>(
    `select ${ROUND},
            started_at < clock_timestamp() - make_interval(secs => $3)
              or started_at < m.round_wanted_at as is_due
       from mirror_round join mirror m using (seller_id, mode)
      where seller_id = $1 and mode = $2`,
    [claimed.seller_id, claimed.mode, roundEvery],
  );
  return rows;
}

async function beginRound(desk: Desk, list: List, repeats: number): Promise<Round> {
  const kind = desk.claimed.is_filled ? "full" : "fill";
  const [round] = await whileHeld<Round>(
    desk.db,
    desk.claimed,
    `${HOLDING} insert into mirror_round (seller_id, mode, list, kind, repeats)
     select $1, $2, $5, $6, $7 from held
     on conflict (seller_id, mode, list) do update
       set kind = excluded.kind, started_at = clock_timestamp(), ended_at = null, next_page = 1,
           total = null, rows_read = 0, is_whole = true, repeats = excluded.repeats
     returning true as is_held, ${ROUND}, false as is_due`,
    [list, kind, repeats],
  );
  if (!round) throw new Error("a round was begun without a row");
  return round;
}

/** Reads on until the list or the turn is at its end; while one batch is written the next is read. */
async function walkOn(desk: Desk, round: Round): Promise<true> {
  let walk = beginWalk(round.next_page, round.total, round.is_whole);
  let reading = readBatch(desk, round.list, walk);
  for (;;) {
    const batch = await reading;
    walk = goOn(walk, batch.pages);
    const isOver = walk.is_ended || desk.isOver();
    if (!isOver) {
      reading = readBatch(desk, round.list, walk);
      // It may fail while this one is written; it is waited for above.
      reading.catch(() => {});
    }
    await storeBatch(desk, round.list, batch);
    await keepPlace(desk, round.list, walk, batch.rows.length);
    if (isOver) break;
  }
  if (walk.is_ended) await finishRound(desk, round, walk);
  return true;
}

/** In two statements at once: a connection each, so that two processors of the database have work. */
async function storeBatch({ db, claimed }: Desk, list: List, { rows, asked_at }: Batch) {
  const half = Math.ceil(rows.length / 2);
  const parts = [rows.slice(0, half), rows.slice(half)];
  await Promise.all(parts.map((part) => storeRows(db, claimed, list, part, asked_at)));
}

interface Batch {
  asked_at: string;
  pages: Footprint[];
  rows: Page["rows"];
}

async function readBatch(desk: Desk, list: List, walk: Walk): Promise<Batch> {
  const asked_at = await readClock(desk.db);
  const numbers = pagesAhead(walk, desk.calls);
  const read = await Promise.all(numbers.map((page) => readPage(desk.api, list, page)));
  const pages = read.map(({ count, next, rows }, at) => ({
    page: numbers[at] ?? 0,
    count,
    rows: rows.length,
    is_last: next === null || rows.length === 0,
  }));
  const rows = new Map(read.flatMap((page) => page.rows.map((row) => [row.id, row])));
  return { asked_at, pages, rows: [...rows.values()] };
}

async function keepPlace({ db, claimed }: Desk, list: List, walk: Walk, rows: number) {
  await whileHeld(
    db,
    claimed,
    `${HOLDING} update mirror_round
        set next_page = $6, total = $7, is_whole = $8, rows_read = rows_read + $9
       from held where seller_id = $1 and mode = $2 and list = $5
     returning true as is_held`,
    [list, walk.next_page, walk.total, walk.is_whole, rows],
  );
}

const MOST_REPEATS = 2;
const MOST_ASKED_FOR = 500;

/** What the whole list did not show is gone; when some of it may have been missed, it is asked for. */
async function finishRound(desk: Desk, round: Round, walk: Walk): Promise<void> {
  const { db, claimed } = desk;
  const { list, started_at, repeats } = round;
  const { fresh, missed } = await countSince(db, claimed, list, started_at);
  const isCounted = walk.is_whole && walk.total !== null && fresh >= walk.total;
  // Of a product nobody can ask again; one that was passed over comes back with the next look.
  const isWhole = isCounted || (walk.total === null && list === "products");
  if (!isWhole && walk.total !== null && repeats < MOST_REPEATS)
    return void (await beginRound(desk, list, repeats + 1));
  if (missed > 0 && isWhole) await removeUnseen(db, claimed, list, started_at);
  else if (missed > 0 && list !== "products") await askForMissed(desk, list, started_at);
  await whileHeld(
    db,
    claimed,
    `${HOLDING} update mirror_round set ended_at = clock_timestamp(), total = $6, whole_since = started_at
       from held where seller_id = $1 and mode = $2 and list = $5 returning true as is_held`,
    [list, walk.total],
  );
}

async function askForMissed(
  { db, claimed }: Desk,
  list: Exclude<List, "products">,
  started_at: string,
) {
  const { rows } = await db.query<{ id: string }>(
    `select id from ${COPIED[list].table}
      where seller_id = $1 and mode = $2 and asked_at < $3 order by asked_at limit $4`,
    [claimed.seller_id, claimed.mode, started_at, MOST_ASKED_FOR],
  );
  const ids = rows.map(({ id }) => id);
  await leaveHints(db, claimed, list, ids);
}
