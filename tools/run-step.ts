import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { CommandFailure } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";

/** A heading, and a tool of node_modules or a script of ours (.ts), with its arguments. */
export type ToolStep = [name: string, command: string[]];

/** Runs the command of a step under a heading. @throws CommandFailure when it ends with an error */
export function runStep(name: string, command: string[], environment = {}): void {
  const started = Date.now();
  console.log(`\n— ${name}`);
  const { file, arguments_, options } = toRun(command, environment);
  const ran = spawnSync(file, arguments_, {
    ...options,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (ran.status !== 0) throw new CommandFailure(`${name} failed.`);
  console.log(told(name, started));
}

/**
 * Runs rows of steps side by side. A step prints its output when it has ended; a failure ends its own row only.
 * @throws CommandFailure that names every step that ended with an error
 */
export async function runStepsInParallel(...rows: ToolStep[][]): Promise<void> {
  const failed: string[] = [];
  const runRow = async (row: ToolStep[]) => {
    for (const [name, command] of row)
      if (!(await runAside(name, command))) return void failed.push(name);
  };
  await Promise.all(rows.map(runRow));
  if (failed.length > 0) throw new CommandFailure(`${failed.join(" and ")} failed.`);
}

/** Runs a tool and prints its output when it has ended. @returns whether it succeeded */
async function runAside(name: string, command: string[]): Promise<boolean> {
  const started = Date.now();
  const { file, arguments_, options } = toRun(command);
  const child = spawn(file, arguments_, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  const isDone = await new Promise<boolean>((resolve) => {
    child.once("error", (error) => {
      said += `${error.message}\n`;
      resolve(false);
    });
    child.once("close", (code) => resolve(code === 0));
  });
  console.log(`\n— ${name}\n${said}${isDone ? told(name, started) : ""}`);
  return isDone;
}

const told = (name: string, started: number) =>
  `  ${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`;

function toRun([tool = "", ...rest]: string[], environment = {}) {
  const isScript = tool.endsWith(".ts");
  return {
    file: isScript ? process.execPath : join(ROOT, "node_modules/.bin", tool),
    arguments_: isScript ? [tool, ...rest] : rest,
    options: {
      cwd: ROOT,
      shell: process.platform === "win32",
      env: { ...process.env, TZ: "UTC", NEXT_TELEMETRY_DISABLED: "1", ...environment },
    },
  };
}
