import type pg from "pg";
import type { Mode } from "#lib/scope.ts";
import type { Env } from "#lib/env.ts";
import type { Settings } from "../process/settings.ts";

/** What the checks look at: this installation, as its programs would find it. */
export interface Look {
  settings: Settings;
  env: Env;
  /** The variables that the dashboard is started with. */
  variables: Record<string, string | undefined>;
  /** Null where it cannot be used, which the check of the database says. */
  dashboard: pg.Pool | null;
  /** Null too where the billing service is somebody else's. */
  service: pg.Pool | null;
  /** The one that seals first; empty where none is set. */
  serviceSecretsKeys: readonly Buffer[];
}

export const servicesOf = ({ BILLING_API_URL, BILLING_SANDBOX_API_URL }: Env) =>
  [
    { mode: "test", url: BILLING_SANDBOX_API_URL },
    { mode: "live", url: BILLING_API_URL },
  ].filter((one): one is { mode: Mode; url: string } => one.url !== undefined);

/** Whether only this machine, or its own network, can reach that host. */
export function isPrivateHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "");
  return (
    name === "localhost" ||
    /\.(localhost|local|internal|lan|home\.arpa)$/.test(name) ||
    /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^169\.254\.|^0\.0\.0\.0$/.test(name) ||
    /^(::1?$|f[cd][0-9a-f]{2}:|fe80:)/i.test(name)
  );
}
