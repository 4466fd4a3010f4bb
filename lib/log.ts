import "server-only";
import { currentRequestId } from "./trace/current-request.ts";

/** One line for the operator, with the request that it belongs to. Never a key, a link or anything of a buyer's. */
export function logLine(text: string): void {
  const id = currentRequestId();
  process.stderr.write(`dashboard: ${oneLine(text)}${id === null ? "" : ` [request ${id}]`}\n`);
}

/** Without line ends and signs that steer a terminal: what was caught may hold what others wrote. */
export const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
