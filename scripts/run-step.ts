import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Failure } from "./failure.ts";
import { ROOT } from "./settings.ts";

/** Runs one tool of node_modules under a heading. @throws Failure when it ends with an error. */
export function runStep(
  name: string,
  [tool = "", ...arguments_]: string[],
  environment = {},
): void {
  const started = Date.now();
  console.log(`\n— ${name}`);
  const isScript = tool.endsWith(".ts");
  const command = isScript ? process.execPath : join(ROOT, "node_modules/.bin", tool);
  const ran = spawnSync(command, isScript ? [tool, ...arguments_] : arguments_, {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
    env: { ...process.env, TZ: "UTC", NEXT_TELEMETRY_DISABLED: "1", ...environment },
  });
  if (ran.status !== 0) throw new Failure(`${name} failed.`);
  console.log(`  ${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
