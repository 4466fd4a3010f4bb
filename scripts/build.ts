import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandFailure, runCommand } from "./process/command.ts";
import { ROOT } from "./process/settings.ts";
import { joinScripts } from "./server/joined-scripts.ts";
import { prepareStaticFiles } from "./server/static-files.ts";

/** Sources of the build. next-env.d.ts is left out: Next.js writes it differently in development. */
const SOURCES = [
  "{app,components,lib,contract,public}/**/*",
  "{next,tailwind,postcss}.config.{ts,mjs}",
  "{instrumentation,instrumentation-client,proxy}.ts",
  "{package-lock,tsconfig,tsconfig.base}.json",
];
const STAMP = ".next/duebook-build";

/** Builds the dashboard for production, unless the last build has the same sources. */
export async function buildDashboard(): Promise<void> {
  const wanted = fingerprint();
  const stamp = join(ROOT, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  console.log("Building the dashboard …");
  const built = spawnSync(process.execPath, ["node_modules/next/dist/bin/next", "build"], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, TZ: "UTC", NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
  });
  if (built.status !== 0) {
    console.error(built.stdout, built.stderr);
    throw new CommandFailure("the dashboard could not be built; the reason is above.");
  }
  joinScripts(join(ROOT, ".next"));
  await prepareStaticFiles();
  writeFileSync(stamp, wanted);
}

function fingerprint(): string {
  const hash = createHash("sha256");
  const files = globSync(SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(file.slice(ROOT.length)).update(readFileSync(file));
  return hash.digest("hex");
}

if (import.meta.main) await runCommand(buildDashboard);
