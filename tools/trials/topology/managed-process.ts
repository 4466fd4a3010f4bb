import { spawn, type ChildProcess } from "node:child_process";
import { appendFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CommandFailure } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { signalProcesses } from "../../programs.ts";

const POLL_INTERVAL = 50;
const START_TIMEOUT = 60_000;
const LEAVE_WITH_PARENT = join(ROOT, "scripts/process/leave-with-parent.ts");

interface ProcessPlan {
  name: string;
  /** The arguments of Node.js, run in the folder of a Duebook, or a system program with its arguments. */
  node?: string[];
  program?: [command: string, ...arguments_: string[]];
  user?: { uid: number; gid: number } | null;
  environment?: Record<string, string>;
  /** Whether it is ready; polled during the start. `log` is its output since the start. */
  isReady: (log: string) => Promise<boolean> | boolean;
}

/** Calls `run` with a new folder for logs, which every user may enter. @param keep leaves it there */
export async function withLogFolder(
  trial: string,
  keep: boolean,
  run: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), `duebook-${trial}-`));
  await chmod(folder, 0o755);
  try {
    await run(folder);
  } finally {
    if (keep) console.log(`Logs: ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}

/** A process of the topology that can be stopped, killed and restarted. */
export class ManagedProcess {
  readonly name: string;
  /** Number of unexpected exits. */
  unexpectedExits = 0;
  /** The folder of the Duebook that the next start runs. */
  root = ROOT;
  readonly #plan: ProcessPlan;
  readonly #logFile: string;
  #child: ChildProcess | null = null;
  #ended: Promise<number | null> = Promise.resolve(null);
  #log = "";

  constructor(plan: ProcessPlan, folder: string) {
    this.name = plan.name;
    this.#plan = plan;
    this.#logFile = join(folder, `${plan.name}.log`);
  }

  /** Starts the process. @returns milliseconds until it was ready */
  async start(): Promise<number> {
    const begun = performance.now();
    this.#log = "";
    const child = this.#spawn();
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once("error", () => resolve(null));
      child.once("exit", (code) => resolve(code));
    });
    void this.#ended.then(() => {
      if (this.#child === child) this.unexpectedExits += 1;
    });
    for (const output of [child.stdout, child.stderr])
      output?.on("data", (text: Buffer) => {
        this.#log = (this.#log + text.toString()).slice(-20_000);
        appendFileSync(this.#logFile, text);
      });
    while (!(await this.#plan.isReady(this.#log))) {
      if (this.#child !== child || child.exitCode !== null || child.signalCode !== null)
        throw new CommandFailure(`${this.name} ended before it was ready:\n${this.lastWords}`);
      if (performance.now() - begun > START_TIMEOUT)
        throw new CommandFailure(
          `${this.name} is not ready after a minute:\n${this.lastWords}`,
        );
      await delay(POLL_INTERVAL);
    }
    return performance.now() - begun;
  }

  #spawn(): ChildProcess {
    const { node, program, user, environment } = this.#plan;
    // A system program ends with its parent, even if the parent is killed.
    const [command, ...arguments_]: [string, ...string[]] = program
      ? ["setpriv", "--pdeathsig", "TERM", ...program]
      : [process.execPath, "--import", LEAVE_WITH_PARENT, ...(node ?? [])];
    return spawn(command, arguments_, {
      cwd: this.root,
      // Its own process group, which is killed as a container is.
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        NODE_ENV: "production",
        TZ: "UTC",
        SUPERVISOR_PID: String(process.pid),
        NEXT_TELEMETRY_DISABLED: "1",
        ...environment,
      },
      ...(user && { uid: user.uid, gid: user.gid }),
    });
  }

  get lastWords(): string {
    return this.#log.trim().split("\n").slice(-8).join("\n");
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Stops it like `docker stop`. @returns its exit code; null if it had to be killed */
  async end(timeout = 15_000): Promise<number | null> {
    const child = this.#child;
    if (!child) return 0;
    this.#child = null;
    child.kill("SIGTERM");
    const late = delay(timeout, "late" as const, { ref: false });
    if ((await Promise.race([this.#ended, late])) === "late") killGroup(child);
    return this.#ended;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = null;
    killGroup(child);
    await this.#ended;
  }
}

function killGroup({ pid }: ChildProcess) {
  if (pid !== undefined) signalProcesses([-pid], "SIGKILL");
}
