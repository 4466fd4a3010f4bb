import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "#contract/pagination.ts";
import { notFound } from "./errors.ts";

export interface Paging {
  page: number;
  pageSize: number;
}

type Query = Record<string, unknown>;

// ADR 0004: an unreadable size is the default, one that is too large the maximum.
export function readPaging(query: Query): Paging {
  const size = wholeNumber(query["page_size"]);
  const page = query["page"] === undefined ? 1 : wholeNumber(query["page"]);
  if (page === null || page < 1) throw notFound();
  return {
    page,
    pageSize: size === null || size < 1 ? DEFAULT_PAGE_SIZE : Math.min(size, MAX_PAGE_SIZE),
  };
}

function wholeNumber(value: unknown): number | null {
  return typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : null;
}

interface Listed<Row> extends Paging {
  /** The list's full address, without a query. */
  url: string;
  /** What else narrows the list and must be carried on to the next page. */
  filter: Record<string, string | undefined>;
  count: number;
  results: Row[];
}

/** @throws 404 for a page beyond the last; the first page of an empty list is legal. */
export function paginate<Row>({ url, filter, count, results, page, pageSize }: Listed<Row>) {
  const lastPage = Math.max(1, Math.ceil(count / pageSize));
  if (page > lastPage) throw notFound();
  const address = (target: number) => {
    const query = new URLSearchParams();
    if (target > 1) query.set("page", String(target));
    query.set("page_size", String(pageSize));
    for (const [key, value] of Object.entries(filter))
      if (value !== undefined) query.set(key, value);
    return `${url}?${query}`;
  };
  return {
    count,
    next: page < lastPage ? address(page + 1) : null,
    previous: page > 1 ? address(page - 1) : null,
    results,
  };
}
