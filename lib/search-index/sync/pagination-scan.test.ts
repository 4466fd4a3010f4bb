import * as fc from "fast-check";
import { expect, test } from "vitest";
import { startScan, advanceScan, nextPages } from "./pagination-scan.ts";

const SIZE = 3;

/** Scans a list of numbers, newest first, and calls `happen` before each page. */
function scanAll(rows: number[], calls: number, happen: () => void) {
  const seen = new Set<number>();
  let reads = 0;
  let scan = startScan(1, null);
  while (!scan.is_ended && reads < 10_000) {
    const pages = nextPages(scan, calls).map((page) => {
      happen();
      reads += 1;
      const results = rows.slice((page - 1) * SIZE, page * SIZE);
      for (const row of results) seen.add(row);
      const is_last = page * SIZE >= rows.length;
      return { page, count: rows.length, rows: results.length, is_last };
    });
    scan = advanceScan(scan, pages);
  }
  return { seen, scan, reads };
}

const list = (length: number) => Array.from({ length }, (_, at) => length - at);

test("an unchanged list is read once, page by page", () => {
  const { seen, scan, reads } = scanAll(list(20), 4, () => {});
  expect(seen.size).toBe(20);
  expect(reads).toBe(7);
  expect(scan).toMatchObject({ is_whole: true, total: 20 });
});

test("an empty list has one page", () => {
  expect(scanAll([], 4, () => {})).toMatchObject({ reads: 1, scan: { total: 0 } });
});

test("rows added during a scan do not make the scan miss existing rows", () => {
  fc.assert(
    fc.property(
      fc.nat(40),
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.nat(2), { maxLength: 60 }),
      (length, calls, coming) => {
        const rows = list(length);
        const before = [...rows];
        const { seen } = scanAll(rows, calls, () => {
          for (let some = coming.shift() ?? 0; some > 0; some -= 1)
            rows.unshift(1_000 + rows.length);
        });
        expect(before.filter((row) => !seen.has(row))).toEqual([]);
      },
    ),
  );
});

test("a scan during which rows are removed misses no other row, or is marked incomplete", () => {
  fc.assert(
    fc.property(
      fc.nat(40),
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.option(fc.nat(40)), { maxLength: 60 }),
      (length, calls, going) => {
        const rows = list(length);
        const { seen, scan } = scanAll(rows, calls, () => {
          const at = going.shift() ?? null;
          if (at !== null && rows.length > 0) rows.splice(at % rows.length, 1);
        });
        const passed = rows.filter((row) => !seen.has(row));
        if (scan.is_whole) expect(passed).toEqual([]);
      },
    ),
  );
});

test("pages without a total count are read one by one, and the scan is marked incomplete", () => {
  let scan = startScan(1, null);
  for (let page = 1; page <= 3; page += 1) {
    expect(nextPages(scan, 8)).toEqual([page]);
    scan = advanceScan(scan, [{ page, count: null, rows: SIZE, is_last: page === 3 }]);
  }
  expect(scan).toMatchObject({ is_ended: true, is_whole: false, total: null });
});
