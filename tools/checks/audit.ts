import { spawnSync } from "node:child_process";
import { CommandFailure, runCommand } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";

interface Answer {
  vulnerabilities?: Record<string, { severity: string; range: string; fixAvailable: unknown }>;
}

type Verdict = "silent" | { name: string; severity: string; range: string }[];

/**
 * The result of `npm audit --json`. A registry that does not answer (405, no network) is neither a
 * finding nor a pass.
 */
export function auditVerdict(output: string): Verdict {
  let answer: Answer;
  try {
    answer = JSON.parse(output) as Answer;
  } catch {
    return "silent";
  }
  if (!answer.vulnerabilities) return "silent";
  return Object.entries(answer.vulnerabilities).map(([name, { severity, range }]) => ({
    name,
    severity,
    range,
  }));
}

/** Asks the registry about the packages that run in production. */
async function audit() {
  const npm = process.env["npm_execpath"];
  const arguments_ = ["audit", "--omit=dev", "--json"];
  const options = { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 } as const;
  const { stdout } = npm
    ? spawnSync(process.execPath, [npm, ...arguments_], options)
    : spawnSync("npm", arguments_, { ...options, shell: process.platform === "win32" });
  const verdict = auditVerdict(stdout);
  if (verdict === "silent") {
    console.log("The registry does not answer audits here, so the result is unknown.");
    if (process.argv.includes("--must-answer")) process.exitCode = 2;
    return;
  }
  if (verdict.length > 0)
    throw new CommandFailure(
      `known faults in ${verdict.length} packages:\n${verdict
        .map(({ name, severity, range }) => `  ${name} ${range}: ${severity}`)
        .join("\n")}`,
    );
  console.log("The registry knows no vulnerability of the packages that run in production.");
}

if (import.meta.main) await runCommand(audit);
