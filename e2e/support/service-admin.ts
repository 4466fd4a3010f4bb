import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "#scripts/process/settings.ts";

/**
 * Runs the billing service's command line.
 * @param input what some commands read from standard input
 * @returns what it printed
 */
export function runAdmin(
  arguments_: string[],
  environment: Record<string, string>,
  input = "",
): string {
  const ran = spawnSync(
    process.execPath,
    [join(ROOT, "scripts/service-admin.ts"), ...arguments_],
    {
      cwd: ROOT,
      encoding: "utf8",
      input,
      env: { ...process.env, ...environment },
    },
  );
  if (ran.status !== 0) throw new Error(`service:admin failed: ${ran.stderr}`);
  return ran.stdout;
}

/** The main seller's active key from the output of `seed --json`. */
export function readSeed(json: string): { key: string } {
  const { sellers } = JSON.parse(json) as {
    sellers: { keys: { key: string; state: string }[] }[];
  };
  const key = sellers[0]?.keys.find((one) => one.state === "active")?.key;
  if (!key) throw new Error("the seed printed no active key");
  return { key };
}
