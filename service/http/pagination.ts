import type { FastifyRequest } from "fastify";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "#contract/names.ts";
import { sellerOf } from "./authenticate.ts";
import { notFoundError } from "./errors.ts";

export interface Paging {
  page: number;
  pageSize: number;
}

type Query = Record<string, unknown>;

/** The handler of a list route; `list` reads one page of the seller's rows and counts them all. */
export const pagedList =
  (
    publicUrl: string,
    list: (
      sellerId: number,
      paging: Paging,
      query: Query,
    ) => Promise<{ count: number; results: object[] }>,
  ) =>
  async (request: FastifyRequest) => {
    const query = request.query as Query;
    const paging = readPaging(query);
    const listed = await list(sellerOf(request).seller_id, paging, query);
    return paginate({
      url: `${publicUrl}${request.routeOptions.url}`,
      query,
      ...paging,
      ...listed,
    });
  };

// Spec choice, paging: an unreadable size becomes the default, one that is too large the
// maximum.
export function readPaging(query: Query): Paging {
  const size = wholeNumber(query["page_size"]);
  const page = query["page"] === undefined ? 1 : wholeNumber(query["page"]);
  if (page === null || page < 1 || page > MAX_PAGE) throw notFoundError();
  return {
    page,
    pageSize: size === null || size < 1 ? DEFAULT_PAGE_SIZE : Math.min(size, MAX_PAGE_SIZE),
  };
}

// The highest page number: beyond any list, and its offset still fits a database integer.
const MAX_PAGE = 1e9;

function wholeNumber(value: unknown): number | null {
  return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : null;
}

interface Listed<Row> extends Paging {
  url: string;
  /** The request's query; its filters are kept in the links to other pages. */
  query: Query;
  count: number;
  results: Row[];
}

/** @throws 404 for a page beyond the last; the first page of an empty list is valid */
export function paginate<Row>({ url, query, count, results, page, pageSize }: Listed<Row>) {
  const lastPage = Math.max(1, Math.ceil(count / pageSize));
  if (page > lastPage) throw notFoundError();
  const address = (target: number) => {
    const carried = new URLSearchParams();
    if (target > 1) carried.set("page", String(target));
    carried.set("page_size", String(pageSize));
    for (const [key, value] of Object.entries(query)) {
      if (key === "page" || key === "page_size") continue;
      for (const one of Array.isArray(value) ? value : [value])
        carried.append(key, String(one));
    }
    return `${url}?${carried.toString()}`;
  };
  return {
    count,
    next: page < lastPage ? address(page + 1) : null,
    previous: page > 1 ? address(page - 1) : null,
    results,
  };
}

type ListRequest = Pick<
  FastifyRequest<{ Querystring: Record<string, string> }>,
  "query" | "routeOptions"
>;

/** The URL of a list's next page: that of the request with another cursor. */
export const nextPageUrl = (
  publicUrl: string,
  { query, routeOptions }: ListRequest,
  cursor: Record<string, string>,
): string =>
  `${publicUrl}${routeOptions.url}?${new URLSearchParams({ ...query, ...cursor }).toString()}`;

interface PageBefore<Row> {
  publicUrl: string;
  request: ListRequest;
  size: number;
  idOf: (row: Row) => string;
}

/**
 * A page of a list without numbered pages.
 * @param rows one more than the page's size, if there are more
 */
export function pageBefore<Row>(
  rows: Row[],
  { publicUrl, request, size, idOf }: PageBefore<Row>,
): { next: string | null; results: Row[] } {
  const results = rows.slice(0, size);
  const last = rows.length > size ? results.at(-1) : undefined;
  return {
    next: last ? nextPageUrl(publicUrl, request, { before: idOf(last) }) : null,
    results,
  };
}
