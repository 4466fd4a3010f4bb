/** Milliseconds that the server may take for a statement. */
export const STATEMENT_TIMEOUT = 10_000;
/** Milliseconds by which an answer may be later than that. */
export const ON_THE_WAY = 2_500;

/**
 * A connection can die without a word. One that is idle is looked after; one that owes an answer for
 * longer than the server may take is closed, and whoever waited is told (ADR 0221).
 */
export const LOOKED_AFTER = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  query_timeout: STATEMENT_TIMEOUT + ON_THE_WAY,
};

const HOUR = 60 * 60_000;

/** A statement that may take as long as it needs: a migration, or the wait for its turn. */
export const withoutHurry = (text: string, values?: unknown[]) => ({
  text,
  ...(values && { values }),
  query_timeout: HOUR,
});

/** Of a connection that owes an answer, or leads to what has become a copy: nobody uses it again. */
export const isSpent = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.message === "Query read timeout" || ("code" in error && error.code === "25006"));
