import "server-only";

/** One line for the operator. Never a key, a link or anything of a buyer's. */
export function logLine(text: string): void {
  process.stderr.write(`dashboard: ${oneLine(text)}\n`);
}

/** Without line ends and signs that steer a terminal: what was caught may hold what others wrote. */
export const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
