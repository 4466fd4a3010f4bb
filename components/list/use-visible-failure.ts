import { useState } from "react";
import { failureOf, type Failure } from "#lib/failure.ts";

interface QueryState {
  data: unknown;
  error: Error | null;
}

/**
 * The failure to show in place of data. It stays while the next try is under way, where the query
 * itself already says "pending", so that a page without its service does not flicker.
 * @param atServer why the server could not prefetch
 */
export function useVisibleFailure(query: QueryState, atServer: Failure | null): Failure | null {
  const [last, setLast] = useState(atServer);
  const failed = query.error ? failureOf(query.error) : last;
  const current = query.data === undefined ? failed : null;
  if (current !== last) setLast(current);
  return current;
}
