import { runCommand } from "#scripts/process/command.ts";
import { runStepsInParallel, runStep, type ToolStep } from "./run-step.ts";

const FORMAT: ToolStep[] = [["format", ["prettier", "--check", "--log-level=warn", "."]]];

// These steps run one after the other: type check and linter read what the steps before them write.
const CODE: ToolStep[] = [
  ["structure", ["tools/checks/structure.ts"]],
  ["tree", ["tools/checks/house.ts", "--check"]],
  ["documents", ["tools/checks/docs.ts"]],
  ["client", ["tools/checks/client.ts"]],
  ["types of the client", ["tsc", "--noEmit", "-p", "clients/typescript"]],
  ["types of contract and service", ["tsc", "-b", "service"]],
  ["types of the routes", ["next", "typegen"]],
  ["types of the dashboard", ["tsc", "--noEmit"]],
  ["lint", ["oxlint", "--type-aware", "--deny-warnings"]],
];

/** Runs the fast checks, which need neither a database nor a browser. */
export async function verify(unitReport?: string[]): Promise<void> {
  // The code checks run in parallel with formatting, which leaves most of the second core free.
  await runStepsInParallel(FORMAT, CODE);
  runStep("unit tests", ["vitest", "run", "--project", "unit", ...(unitReport ?? [])]);
}

if (import.meta.main) await runCommand(() => verify());
