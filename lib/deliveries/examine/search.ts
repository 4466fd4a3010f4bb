import { parameterReader, queryString, type Parameters } from "#lib/search-params.ts";

/** The query string of the examine page; null where nothing is picked. */
export interface ExamineSearch {
  /** The id of a sent delivery. */
  delivery: string | null;
  /** The number of its attempt, from 1. */
  attempt: number | null;
  /** The id of a received delivery; the other two are null then. */
  received: string | null;
}

const ID = /^[1-9]\d{0,14}$/;

/** Unreadable values pick nothing. */
export function parseExamineSearch(parameters: Parameters): ExamineSearch {
  const { read } = parameterReader(parameters);
  const attempt = read("attempt", /^[1-9]\d{0,4}$/);
  const received = read("received", ID);
  if (received !== null) return { delivery: null, attempt: null, received };
  return {
    delivery: read("delivery", ID),
    attempt: attempt === null ? null : Number(attempt),
    received,
  };
}

/** Below the scope. */
export const examinePath = (search: Partial<ExamineSearch> = {}): string =>
  `/settings/webhooks/deliveries/examine${queryString({ ...search })}`;
