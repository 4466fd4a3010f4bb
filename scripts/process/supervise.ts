import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { oneLine } from "#contract/process/log.ts";
import { CommandFailure } from "./command.ts";

export interface SupervisedProgram {
  name: string;
  /** The arguments of Node.js. */
  command: string[];
  environment: Record<string, string>;
  /** URL that answers 200 once the program is ready. */
  healthUrl: string;
}

const TIMEOUT_MS = 10_000;
const LEAVE_WITH_PARENT = new URL("leave-with-parent.ts", import.meta.url).href;

/** Starts a program that ends with this process, even if this one is killed. */
const launch = (
  { command, environment }: Pick<SupervisedProgram, "command" | "environment">,
  output: "pipe" | "inherit",
) =>
  spawn(process.execPath, ["--import", LEAVE_WITH_PARENT, ...command], {
    // In its own process group: Ctrl-C then reaches only the supervisor, which stops everything in
    // order.
    detached: process.platform !== "win32",
    stdio: ["pipe", output, output],
    env: {
      ...process.env,
      TZ: "UTC",
      SUPERVISOR_PID: String(process.pid),
      ...environment,
    },
  });

/** Runs one program to its end. @returns its exit code */
export async function runProgram(
  program: Pick<SupervisedProgram, "command" | "environment">,
): Promise<number> {
  const child = launch(program, "inherit");
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}

interface End {
  name: string;
  /** The exit code; null if unknown. */
  code: number | null;
}

const endOf = ({ name, code }: End) =>
  `the ${name} ended by itself${code === null ? "" : ` (exit code ${code})`}`;

/** Starts programs; when one ends, all are stopped. */
export class Supervisor {
  private readonly children: { name: string; process: ChildProcess; ended: Promise<number> }[] =
    [];
  private isStopping = false;
  private readonly firstEnd = Promise.withResolvers<End>();
  // Installed first: a signal during the start must also shut down cleanly.
  private readonly signal = new Promise<"signal">((resolve) => {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(name, () => resolve("signal"));
  });

  /**
   * Resolves when the program answers.
   * @throws CommandFailure if it ends before that or does not answer in time, or on a signal
   */
  async start(program: SupervisedProgram): Promise<void> {
    const child = launch(program, "pipe");
    const ended = new Promise<number>((resolve) => {
      child.once("error", () => resolve(1));
      child.once("exit", (code, signal) => resolve(code ?? (signal ? 1 : 0)));
    });
    this.children.push({ name: program.name, process: child, ended });
    void ended.then((code) => this.firstEnd.resolve({ name: program.name, code }));
    this.relay(program.name, child);
    const polling = new AbortController();
    const outcome = await Promise.race([
      answers(program.healthUrl, polling.signal),
      ended,
      this.signal,
    ]);
    polling.abort();
    if (outcome === "signal") throw new CommandFailure("Duebook was stopped while it started.");
    if (outcome !== "ready")
      throw new CommandFailure(
        typeof outcome === "number"
          ? `the ${program.name} ended before it was ready (exit code ${outcome}); it says why above.`
          : `the ${program.name} does not answer at ${program.healthUrl}.`,
      );
  }

  /** Runs work beside the programs. @throws CommandFailure when a program ends first, or on a signal. */
  async during<Value>(work: (end: AbortSignal) => Promise<Value>): Promise<Value> {
    const aborting = new AbortController();
    const end = Promise.race([this.signal, this.firstEnd.promise]).then((first) => {
      aborting.abort();
      throw new CommandFailure(
        first === "signal"
          ? "Duebook was stopped while it started."
          : `${endOf(first)}; it says why above.`,
      );
    });
    return Promise.race([work(aborting.signal), end]);
  }

  /**
   * Waits for a signal or the end of a program, then stops all.
   * @param database the embedded server, which is not stopped here
   * @returns the exit code
   */
  async wait(database: { ended: Promise<void> } | null): Promise<number> {
    void database?.ended.then(() => this.firstEnd.resolve({ name: "database", code: null }));
    const first = await Promise.race([this.signal, this.firstEnd.promise]);
    if (first === "signal") console.log("\nStopping …");
    else console.error(`duebook: ${endOf(first)}; stopping the rest.`);
    await this.stop();
    return first === "signal" ? 0 : first.code || 1;
  }

  /**
   * Stops the programs, the newest first, so that none loses what it depends on while it finishes.
   */
  async stop(): Promise<void> {
    if (this.isStopping) return;
    this.isStopping = true;
    for (const { process: child, ended } of this.children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGTERM");
      const outcome = await Promise.race([
        ended,
        delay(TIMEOUT_MS, "late" as const, { ref: false }),
      ]);
      if (outcome === "late") child.kill("SIGKILL");
      await ended;
    }
  }

  private relay(name: string, child: ChildProcess) {
    for (const [stream, print] of [
      [child.stdout, console.log],
      [child.stderr, console.error],
    ] as const)
      if (stream)
        createInterface({ input: stream }).on("line", (line) => {
          print(formatLogLine(name, line, process.stdout.isTTY));
        });
  }
}

async function answers(url: string, given: AbortSignal): Promise<"ready" | "silent"> {
  const signal = AbortSignal.any([given, AbortSignal.timeout(180_000)]);
  while (!signal.aborted) {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(2_000)]);
    const answer = await fetch(url, { signal: deadline }).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return "ready";
    await delay(50);
  }
  return "silent";
}

/**
 * Formats a line of output. Entries of the log are made readable on a terminal, and are left unchanged
 * for a log collector; other lines get the name of their program.
 */
export function formatLogLine(name: string, line: string, isTerminal: boolean): string {
  const entry = readEntry(line);
  if (!entry) return `[${name}] ${line}`;
  if (!isTerminal) return line;
  const { level, time, program, pid: _pid, msg, ...fields } = entry;
  const weight = level === "info" ? "" : `${String(level)}: `;
  const rest = Object.entries(fields).map(([field, value]) => ` ${field}=${inShort(value)}`);
  return oneLine(
    `[${String(program)}] ${String(time).slice(11, 19)} ${weight}${String(msg)}${rest.join("")}`,
  );
}

const inShort = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function readEntry(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{"level":')) return null;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}
