import { summarizeFailures, type FailedRequest } from "./outcome-log.ts";

/**
 * Which requests may fail: none; any, with a clear message; or those in progress at the killed
 * process, at most as many as can run at once.
 */
export type ExpectedFailures = "none" | "clear" | "under way";

/** @param width maximum number of concurrent requests. @returns a description of the unexpected failures */
export function unexpectedFailures(
  expected: ExpectedFailures,
  failed: readonly FailedRequest[],
  width: number,
): string[] {
  if (expected === "none")
    return failed.length > 0
      ? [`${failed.length} requests failed: ${summarizeFailures(failed)}`]
      : [];
  const unwanted = failed.filter((one) =>
    expected === "clear" ? !one.isClear : !wasUnderWay(one),
  );
  const problems =
    unwanted.length > 0
      ? [
          `${unwanted.length} of ${failed.length} failed unexpectedly: ${summarizeFailures(unwanted)}`,
        ]
      : [];
  if (expected === "under way" && failed.length > width)
    problems.push(`${failed.length} requests failed, and only ${width} can be under way`);
  return problems;
}

/**
 * Whether the request was in progress at the killed process: its answer breaks off, and a proxy
 * must not send a write to another process.
 */
const wasUnderWay = ({ isWrite, status, isClear }: FailedRequest) =>
  status === null || (isWrite ? status === 502 : isClear);
