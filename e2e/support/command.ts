import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ROOT } from "#scripts/process/settings.ts";

export interface RunningCommand {
  pid: number;
  /** Everything that the command has printed so far. */
  output: () => string;
  /**
   * Resolves when the output contains the text; rejects with the output when the command ends
   * first.
   */
  printed: (text: string) => Promise<void>;
  /** Sends the signal, waits for the end, and returns the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number>;
  exited: Promise<number>;
  /** Kills the child process whose command line (or title) contains the text. */
  killChild: (text: string) => void;
}

/** Starts one of the project's commands, with these variables added to the environment. */
export function startCommand(
  script: string,
  environment: Record<string, string>,
  arguments_: string[] = [],
): RunningCommand {
  const child = spawn(process.execPath, [join(ROOT, "scripts", script), ...arguments_], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment },
  });
  let text = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      for (const listener of listeners) listener();
    });
  const exited = new Promise<number>((resolve) => {
    child.once("close", (code) => resolve(code ?? 1));
  });
  return {
    pid: child.pid ?? 0,
    output: () => text,
    printed: (wanted) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (text.includes(wanted)) resolve();
        };
        listeners.add(look);
        look();
        void exited.then((code) => reject(new Error(`${script} ended (${code}):\n${text}`)));
      }),
    stop: (signal = "SIGINT") => {
      child.kill(signal);
      return exited;
    },
    exited,
    killChild: (wanted) => {
      const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
      const victim = children
        .trim()
        .split(" ")
        .find((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(wanted));
      if (!victim) throw new Error(`${script} runs no child '${wanted}'`);
      process.kill(Number(victim), "SIGKILL");
    },
  };
}

// The range is below the system's ephemeral ports, so that a free port stays free until it is used.
const PORTS = [12_000, 32_000] as const;

/** Distinct free ports. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(...PORTS);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
