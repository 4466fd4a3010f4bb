/** Statement timeout of the server, in milliseconds. */
export const STATEMENT_TIMEOUT = 10_000;
/** Milliseconds the client waits beyond the statement timeout. */
export const ON_THE_WAY = 2_500;

/**
 * A connection can die silently. Keep-alive probes watch idle connections; one whose answer
 * takes longer than the statement timeout allows is closed, and the caller gets an error (ADR
 * 0221).
 */
export const KEEP_ALIVE_OPTIONS = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  query_timeout: STATEMENT_TIMEOUT + ON_THE_WAY,
};

const HOUR = 60 * 60_000;

/** For statements without a time limit: migrations, and waiting for a lock. */
export const withoutHurry = (text: string, values?: unknown[]) => ({
  text,
  ...(values && { values }),
  query_timeout: HOUR,
});

/** Errors of a connection that timed out or leads to a read-only replica; it is not reused. */
export const isSpent = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.message === "Query read timeout" || ("code" in error && error.code === "25006"));
