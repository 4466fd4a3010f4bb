import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildDashboard } from "#scripts/build.ts";
import { checkBundle } from "./checks/bundle.ts";
import { ensureChromium } from "./chromium.ts";
import { runCommand } from "#scripts/process/command.ts";
import { ensureExamplePrograms } from "./programs.ts";
import { runStep } from "./run-step.ts";
import { verify } from "./verify.ts";

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Runs the fast checks, the tests that need a database, the build, and the browser tests. */
async function test() {
  const reports = mkdtempSync(join(tmpdir(), "duebook-reports-"));
  const report = (name: string) => join(reports, `${name}.json`);
  const vitestReport = (name: string) => [
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report(name)}`,
  ];
  try {
    await ensureChromium("journeys");
    ensureExamplePrograms();
    await verify(vitestReport("unit"));
    runStep("database tests", [
      "vitest",
      "run",
      "--project",
      "database",
      ...vitestReport("database"),
    ]);
    await buildDashboard();
    checkBundle();
    runStep("browser tests", ["playwright", "test"], {
      PLAYWRIGHT_JSON_OUTPUT_NAME: report("browser"),
    });
  } finally {
    const counts = total([
      countVitest(report("unit")),
      countVitest(report("database")),
      countPlaywright(report("browser")),
    ]);
    rmSync(reports, { recursive: true, force: true });
    console.log(
      `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
    );
    if (counts.failed > 0) process.exitCode = 1;
  }
}

const NONE: Counts = { passed: 0, failed: 0, skipped: 0 };

/**
 * Reads a test report; null if its step wrote none, because the failure that kept it from doing so is
 * reported already.
 */
function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

function countVitest(file: string): Counts {
  const report = readReport(file) as Record<string, number> | null;
  if (!report) return NONE;
  return {
    passed: report["numPassedTests"] ?? 0,
    failed: report["numFailedTests"] ?? 0,
    skipped: (report["numPendingTests"] ?? 0) + (report["numTodoTests"] ?? 0),
  };
}

function countPlaywright(file: string): Counts {
  const report = readReport(file) as { stats: Record<string, number> } | null;
  if (!report) return NONE;
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report.stats;
  // A test that only passes on its second run counts as failed.
  return { passed: expected, failed: unexpected + flaky, skipped };
}

const total = (all: Counts[]): Counts =>
  all.reduce((sum, one) => ({
    passed: sum.passed + one.passed,
    failed: sum.failed + one.failed,
    skipped: sum.skipped + one.skipped,
  }));

await runCommand(test);
