/** The properties of a page that the scan uses. */
export interface PageSummary {
  page: number;
  /** Rows in the whole list; null if the service does not count. */
  count: number | null;
  rows: number;
  is_last: boolean;
}

export interface PaginationScan {
  next_page: number;
  /** The list's row count as last read; null at first and if the service does not count. */
  total: number | null;
  /** The number of rows of a full page; 0 until one was read. */
  page_size: number;
  /** Pages up to this one are read one by one, in order. */
  careful_until: number;
  times_back: number;
  /** False once the scan may have missed rows. */
  is_whole: boolean;
  is_ended: boolean;
}

export const startScan = (
  next_page: number,
  total: number | null,
  is_whole = true,
): PaginationScan => ({
  next_page,
  total,
  page_size: 0,
  careful_until: next_page,
  times_back: 0,
  is_whole,
  is_ended: false,
});

/** The pages to read in parallel now, in order. */
export function nextPages(scan: PaginationScan, calls: number): number[] {
  const { next_page, total, page_size, careful_until } = scan;
  const isAlone = total === null || page_size === 0 || next_page <= careful_until;
  const last = isAlone ? next_page : Math.ceil(total / page_size);
  const count = Math.max(1, Math.min(isAlone ? 1 : calls, last - next_page + 1));
  return Array.from({ length: count }, (_, at) => next_page + at);
}

const MOST_TIMES_BACK = 20;

/**
 * The scan after these parallel pages. Lists are newest first: a new row moves all others towards the
 * end, so pages read in order only repeat some rows; but of two parallel pages the later one may be
 * read before the move and the earlier one after it. A removed row moves those behind it to a page
 * that was already read. Both cases show in the count.
 */
export function advanceScan(scan: PaginationScan, pages: PageSummary[]): PaginationScan {
  const first = pages[0]?.page ?? scan.next_page;
  const last = pages.at(-1)?.page ?? scan.next_page;
  const counts = pages.flatMap(({ count }) => (count === null ? [] : [count]));
  const most = Math.max(scan.total ?? 0, ...counts);
  const least = Math.min(...counts);
  const page_size = Math.max(scan.page_size, ...pages.map(({ rows }) => rows));
  const is_ended = pages.some(({ is_last }) => is_last);
  const next = { ...scan, page_size, next_page: last + 1, is_ended };
  // Without a count, moved rows cannot be noticed, so pages are read in order, which can only
  // repeat rows.
  if (counts.length < pages.length)
    return { ...next, total: null, careful_until: last + 1, is_whole: false };
  const isShorter = scan.total !== null && least < scan.total;
  const isMoved = least !== Math.max(...counts);
  if (!isShorter && !isMoved) return { ...next, total: most };
  if (isShorter && scan.times_back >= MOST_TIMES_BACK)
    return { ...next, total: least, is_whole: false };
  const back = isShorter ? Math.ceil((most - least) / Math.max(1, page_size)) : 0;
  return {
    ...next,
    total: least,
    next_page: Math.max(1, first - back),
    careful_until: last,
    times_back: scan.times_back + (isShorter ? 1 : 0),
    is_ended: false,
  };
}
