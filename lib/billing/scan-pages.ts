import "server-only";
import { MAX_PAGE_SIZE } from "#contract/pagination.ts";
import type { SearchExtent } from "#lib/search-extent.ts";
import { failureOf } from "#lib/failure.ts";

interface Page<Row> {
  count: number | null;
  next: string | null;
  results: Row[];
}

export interface PageScan<Row> {
  /** In the list's order; a record that came meanwhile can have moved a row onto two pages. */
  rows: Row[];
  /** How long the list is, when the service says so. */
  total: number | null;
  /** Where to go on; null when the end was reached. */
  next_page: number | null;
}

/** How far a scan from the first page on came. */
export const extentOf = ({ rows, total, next_page }: PageScan<unknown>): SearchExtent => ({
  searched: rows.length,
  total,
  is_complete: next_page === null,
});

interface Extent<Row> {
  /** The first page to read. */
  from?: number;
  /** How many pages at most. */
  most: number;
  /** A row after whose page nothing more is wanted. */
  isEnough?: (row: Row) => boolean;
}

const AT_ONCE = 4;

/**
 * Reads a list page by page, some of them at once, for what the service cannot be asked directly.
 * Pages are asked for by number: `next` is only looked at, never followed.
 */
export async function scanListPages<Row>(
  read: (page: { page: number; page_size: number }) => Promise<Page<Row>>,
  { from = 1, most, isEnough = () => false }: Extent<Row>,
): Promise<PageScan<Row>> {
  const scan: PageScan<Row> = { rows: [], total: null, next_page: from };
  let size = 0;
  for (let page = from; page < from + most;) {
    const last = scan.total === null || size === 0 ? page : Math.ceil(scan.total / size);
    const count = Math.max(1, Math.min(AT_ONCE, from + most - page, last - page + 1));
    const pages = await Promise.all(
      Array.from({ length: count }, (_, at) => readPage(read, page + at)),
    );
    for (const { count: total, next, results } of pages) {
      page += 1;
      size ||= results.length;
      scan.total = total ?? scan.total;
      scan.rows.push(...results);
      scan.next_page = next === null ? null : page;
      if (next === null || results.some(isEnough)) return scan;
    }
  }
  return scan;
}

/** A list that became shorter meanwhile has an end and no failure. */
async function readPage<Row>(
  read: (page: { page: number; page_size: number }) => Promise<Page<Row>>,
  page: number,
): Promise<Page<Row>> {
  try {
    return await read({ page, page_size: MAX_PAGE_SIZE });
  } catch (error) {
    if (page === 1 || failureOf(error).kind !== "not_found") throw error;
    return { count: null, next: null, results: [] };
  }
}
