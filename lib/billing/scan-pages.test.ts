import { expect, test } from "vitest";
import { AppError } from "#lib/failure.ts";
import { scanListPages } from "./scan-pages.ts";

interface Asked {
  page: number;
  page_size: number;
}

/** A list of so many numbers, the largest first, that notes what it is asked for. */
function listOf(length: number, { count = true, size = 100 } = {}) {
  const asked: number[] = [];
  let open = 0;
  const list = { asked, mostAtOnce: 0, read };
  async function read({ page, page_size }: Asked) {
    asked.push(page);
    open += 1;
    list.mostAtOnce = Math.max(list.mostAtOnce, open);
    await Promise.resolve();
    open -= 1;
    const per = Math.min(page_size, size);
    if (page > 1 && (page - 1) * per >= length) throw new AppError({ kind: "not_found" });
    const left = Math.min(per, length - (page - 1) * per);
    const results = Array.from({ length: left }, (_, at) => length - (page - 1) * per - at);
    const next = page * per < length ? "http://elsewhere.invalid/?page=2" : null;
    return { count: count ? length : null, next, results };
  }
  return list;
}

test("reads a list to its end, in its order and a few pages at a time", async () => {
  const list = listOf(1_050);
  const scan = await scanListPages(list.read, { most: 20 });
  expect(scan.rows).toEqual(Array.from({ length: 1_050 }, (_, at) => 1_050 - at));
  expect(scan).toMatchObject({ total: 1_050, next_page: null });
  expect(list.asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(list.mostAtOnce).toBe(4);
});

test("goes no further than it may, and on from there", async () => {
  const list = listOf(1_050);
  const first = await scanListPages(list.read, { most: 5 });
  expect([first.rows.length, first.next_page]).toEqual([500, 6]);
  const second = await scanListPages(list.read, { from: 6, most: 20 });
  expect([second.rows.length, second.rows[0], second.next_page]).toEqual([550, 550, null]);
});

test("stops after the page that holds what is looked for", async () => {
  const list = listOf(5_000);
  const scan = await scanListPages(list.read, {
    most: 50,
    isEnough: (row) => row === 4_950,
  });
  expect([list.asked, scan.rows.length, scan.next_page]).toEqual([[1], 100, 2]);
});

test("works with a service that does not count, or gives smaller pages than asked for", async () => {
  const silent = await scanListPages(listOf(250, { count: false }).read, { most: 20 });
  expect([silent.rows.length, silent.total, silent.next_page]).toEqual([250, null, null]);
  const small = await scanListPages(listOf(250, { size: 50 }).read, { most: 20 });
  expect([small.rows.length, small.next_page]).toEqual([250, null]);
});

test("an empty list is walked, and one that became shorter has an end", async () => {
  expect(await scanListPages(listOf(0).read, { most: 5 })).toMatchObject({
    rows: [],
    next_page: null,
  });
  const scan = await scanListPages(listOf(250).read, { from: 9, most: 5 });
  expect([scan.rows, scan.next_page]).toEqual([[], null]);
});

test("tells of a failure", async () => {
  const failing = () => Promise.reject(new AppError({ kind: "unauthorized" }));
  await expect(scanListPages(failing, { most: 5 })).rejects.toThrow("unauthorized");
});
