import "server-only";

/** One line for the operator. Never a key, a link or anything of a buyer's. */
export function logLine(text: string): void {
  process.stderr.write(`dashboard: ${text}\n`);
}
