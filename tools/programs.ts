import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { CommandFailure } from "#scripts/process/command.ts";

/** Whether this is a Debian on which this process may install packages. */
export const canInstallPackages = () =>
  process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

/** Runs a command that prepares the machine. @returns whether it succeeded */
export function runSetUp(
  errors: "ignore" | "inherit",
  command: string,
  ...arguments_: string[]
): boolean {
  const { status } = spawnSync(command, arguments_, {
    stdio: ["ignore", "ignore", errors],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return status === 0;
}

/** Runs a system command. @returns its output. @throws CommandFailure with the error output */
export function runSystem(...command: string[]): string {
  const [program = "", ...given] = command;
  const ran = spawnSync(program, given, { encoding: "utf8" });
  if (ran.status === 0) return ran.stdout.trim();
  throw new CommandFailure(`${command.join(" ")}: ${ran.stderr?.trim() || ran.error?.message}`);
}

/** Sends a signal to processes, or to a group by its negative id; some may have ended meanwhile. */
export function signalProcesses(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended since it was listed.
    }
}

/** The programs with which the examples of docs/integrate.md run, and their Debian packages. */
const EXAMPLE_PROGRAMS: Record<string, string> = {
  curl: "curl",
  openssl: "openssl",
  python3: "python3",
  php: "php-cli",
};

/** @returns whether a program can be started */
export const isThere = (program: string): boolean =>
  spawnSync(program, [program === "openssl" ? "version" : "--version"]).error === undefined;

/** Installs the missing programs where it can; the examples for those that stay missing are skipped. */
export function ensureExamplePrograms(): void {
  const missing = () => Object.keys(EXAMPLE_PROGRAMS).filter((program) => !isThere(program));
  const wanted = missing();
  if (wanted.length === 0) return;
  if (canInstallPackages()) {
    console.log(`Installing ${wanted.join(", ")} …`);
    runSetUp("inherit", "apt-get", "update", "-qq");
    for (const program of wanted)
      runSetUp("inherit", "apt-get", "install", "-y", "-qq", EXAMPLE_PROGRAMS[program] ?? "");
  }
  const left = missing();
  if (left.length > 0)
    console.warn(
      `There is no ${left.join(", ")}: the examples of docs/integrate.md for it are not run and count as skipped.`,
    );
}
