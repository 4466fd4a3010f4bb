import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "#contract/pagination.ts";
import { wholeNumberOr } from "./search-params.ts";

export const PAGE_SIZES = [20, 50, 100] as const;
const LARGEST_PAGE = 1_000_000;

/** Which rows of a list; pages count from 1. */
export interface Paging {
  page: number;
  page_size: number;
}

/** For `defineSearch`. */
export const PAGING_FIELDS = {
  page: wholeNumberOr(LARGEST_PAGE, 1),
  page_size: wholeNumberOr(MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE),
};
