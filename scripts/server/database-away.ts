import type { ServerResponse } from "node:http";
import { wasDatabaseAway } from "#lib/trace/current-request.ts";

/** Retry-After, in seconds. */
const RETRY_SOON = "2";

/** Answers 503 with Retry-After instead of 500 when the database was unreachable. */
export function answerAway(response: ServerResponse): void {
  const write = response.writeHead.bind(response) as (...all: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    if (status !== 500 || !wasDatabaseAway()) return write(status, ...rest);
    response.setHeader("retry-after", RETRY_SOON);
    return write(503, ...rest);
  };
}
