import type { ServerResponse } from "node:http";
import { wasDatabaseAway } from "#lib/trace/current-request.ts";

/** Seconds after which it is worth another try. */
const SOON = "2";

/** What failed for want of the database is no fault of the program's: whoever asks may ask again. */
export function answerAway(response: ServerResponse): void {
  const write = response.writeHead.bind(response) as (...all: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    if (status !== 500 || !wasDatabaseAway()) return write(status, ...rest);
    response.setHeader("retry-after", SOON);
    return write(503, ...rest);
  };
}
