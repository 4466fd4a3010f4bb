import type pg from "pg";
import type { Mode } from "#lib/scope.ts";
import type { Env } from "#lib/env.ts";
import type { Settings } from "#scripts/process/settings.ts";

/** Severities, from good to fatal. */
export type Level = "ok" | "note" | "warning" | "failure";

/** Result of a check. Its text contains no key, no password and no personal data. */
export interface Finding {
  level: Level;
  words: string;
  /** Advice to the operator. */
  remedy?: string;
}

export const ok = (words: string): Finding => ({ level: "ok", words });
export const note = (words: string, remedy?: string): Finding => ({
  level: "note",
  words,
  ...(remedy && { remedy }),
});
const graver = (level: Level) => (words: string, remedy: string) => ({ level, words, remedy });
export const warning = graver("warning");
export const failure = graver("failure");

/** The findings whose condition holds. */
export const presentFindings = (...all: (Finding | false)[]): Finding[] =>
  all.filter((one) => one !== false);

/** A count with its noun, such as "1 key", "2 keys" or "12,000 keys". */
export const countWithNoun = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** The installation that the checks examine. */
export interface CheckedInstallation {
  settings: Settings;
  env: Env;
  /** Environment of the dashboard. */
  variables: Record<string, string | undefined>;
  /** The dashboard's database; null when unusable, which the database check reports. */
  dashboard: pg.Pool | null;
  /** The service's database; null when unusable, or when an external billing service is used. */
  service: pg.Pool | null;
  /** The keys that encrypt secrets, the current one first; empty if unset. */
  serviceSecretsKeys: readonly Buffer[];
}

export const servicesOf = ({ BILLING_API_URL, BILLING_SANDBOX_API_URL }: Env) =>
  [
    { mode: "test", url: BILLING_SANDBOX_API_URL },
    { mode: "live", url: BILLING_API_URL },
  ].filter((one): one is { mode: Mode; url: string } => one.url !== undefined);

/** Whether the host is reachable only from this machine or its private network. */
export function isPrivateHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "");
  return (
    name === "localhost" ||
    /\.(localhost|local|internal|lan|home\.arpa)$/.test(name) ||
    /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^169\.254\.|^0\.0\.0\.0$/.test(name) ||
    /^(::1?$|f[cd][0-9a-f]{2}:|fe80:)/i.test(name)
  );
}
