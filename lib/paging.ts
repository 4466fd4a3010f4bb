import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "#contract/pagination.ts";
import { plainParameters, type Parameters } from "./search-params.ts";

export const PAGE_SIZES = [20, 50, 100] as const;
const LARGEST_PAGE = 1_000_000;

/** Which rows of a list; the page begins with 1. */
export interface Paging {
  page: number;
  page_size: number;
}

/** What cannot be read falls back. */
export function parsePaging(parameters: Parameters): Paging {
  const { page, page_size } = plainParameters(parameters);
  return {
    page: wholeNumber(page, LARGEST_PAGE) ?? 1,
    page_size: wholeNumber(page_size, MAX_PAGE_SIZE) ?? DEFAULT_PAGE_SIZE,
  };
}

/** Adds only what differs from the default, so that one view has one address. */
export function appendPaging(
  parameters: URLSearchParams,
  { page, page_size }: Partial<Paging>,
) {
  if (page && page > 1) parameters.set("page", String(page));
  if (page_size && page_size !== DEFAULT_PAGE_SIZE) {
    parameters.set("page_size", String(page_size));
  }
}

function wholeNumber(text: string | string[] | undefined, largest: number): number | null {
  if (typeof text !== "string" || !/^[1-9]\d{0,9}$/.test(text)) return null;
  return Number(text) <= largest ? Number(text) : null;
}
