import { kindsOf, type Outcome } from "./outcome-log.ts";

/**
 * What may fail: nothing; anything, each in words; or what was under way at the one that died, and no
 * more than can be under way.
 */
export type Expected = "none" | "clear" | "under way";

/** @param width how many requests can be under way at once. @returns in words what need not have failed */
export function unexpectedFailures(
  expected: Expected,
  failed: readonly Outcome[],
  width: number,
): string[] {
  if (expected === "none")
    return failed.length > 0 ? [`${failed.length} requests failed: ${kindsOf(failed)}`] : [];
  const unwanted = failed.filter((one) =>
    expected === "clear" ? !one.isClear : !wasUnderWay(one),
  );
  const problems =
    unwanted.length > 0
      ? [`${unwanted.length} of ${failed.length} need not have failed so: ${kindsOf(unwanted)}`]
      : [];
  if (expected === "under way" && failed.length > width)
    problems.push(`${failed.length} requests failed, and only ${width} can be under way`);
  return problems;
}

/** An answer that had begun breaks off; nobody else may answer a write that was sent. */
const wasUnderWay = ({ isWrite, status, isClear }: Outcome) =>
  status === null || (isWrite ? status === 502 : isClear);
