import { oneLine } from "#contract/process/log.ts";

/** Formats a log line: readable on a terminal, unchanged for a log collector. */
export function showLine(name: string, line: string, isTerminal: boolean): string {
  const entry = readEntry(line);
  if (!entry) return `[${name}] ${line}`;
  if (!isTerminal) return line;
  const { level, time, program, pid: _pid, msg, ...fields } = entry;
  const weight = level === "info" ? "" : `${String(level)}: `;
  const rest = Object.entries(fields).map(([field, value]) => ` ${field}=${inShort(value)}`);
  return oneLine(
    `[${String(program)}] ${String(time).slice(11, 19)} ${weight}${String(msg)}${rest.join("")}`,
  );
}

const inShort = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function readEntry(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{"level":')) return null;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}
