import { runCommand } from "./failure.ts";
import { runStep } from "./run-step.ts";

/** The fast checks, which need neither a database nor a browser. */
export function verify(unitReport?: string[]): void {
  runStep("format", ["prettier", "--check", "--log-level=warn", "."]);
  runStep("lint", ["oxlint", "--type-aware", "--deny-warnings"]);
  runStep("structure", ["scripts/check-structure.ts"]);
  runStep("papers", ["scripts/check-papers.ts"]);
  runStep("types of contract and service", ["tsc", "-b", "service"]);
  runStep("types of the routes", ["next", "typegen"]);
  runStep("types of the dashboard", ["tsc", "--noEmit"]);
  runStep("unit tests", ["vitest", "run", "--project", "unit", ...(unitReport ?? [])]);
}

if (import.meta.main) await runCommand(async () => verify());
