import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "./process/settings.ts";

/** A program that prints its parent's and its own process id, and does not end. */
const STAYS = "console.log(process.ppid, process.pid); setInterval(() => {}, 1_000);";
/** A program that ends some time after the signal, unless it is killed first. */
const ENDS_IN_ORDER = `process.once("SIGTERM", () =>
  setTimeout(() => process.exit(console.log("ended in order")), 1_500));`;

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "duebook-start-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, words] of Object.entries(files)) await writeFile(join(folder, name), words);
  return folder;
}

/** Starts a command as npm does: by a shell, whose process id is in the environment. */
const startByShell = (cwd: string, command: string, environment = {}) =>
  spawn("sh", ["-c", `NPM=$$ "${process.execPath}" scripts/start.mjs ${command}; true`], {
    cwd,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, npm_lifecycle_event: "up", ...environment },
  });

/** @returns the shell, the process id of start.mjs, and `gone`, which resolves when all have ended */
async function start(program = STAYS): Promise<{
  shell: ChildProcess;
  starter: number;
  gone: Promise<string>;
}> {
  const folder = await folderWith({ "stays.mjs": program });
  const command = relative(join(ROOT, "scripts"), join(folder, "stays.mjs"));
  const shell = startByShell(ROOT, command);
  const lines = createInterface({ input: shell.stdout });
  const [starter = 0, child = 0] = await new Promise<number[]>((resolve) => {
    lines.once("line", (line) => resolve(line.split(" ").map(Number)));
  });
  onTestFinished(() => {
    for (const pid of [starter, child].filter(isRunning)) process.kill(pid, "SIGKILL");
  });
  // All these processes write to this output, so it ends with the last of them.
  return { shell, starter, gone: text(shell.stdout) };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a program started by npm ends when npm and its shell get a signal", async () => {
  const { shell, gone } = await start();
  shell.kill("SIGTERM");
  await expect(gone).resolves.toBe("");
}, 30_000);

test("a command ends when its parent is killed", async () => {
  const { starter, gone } = await start();
  process.kill(starter, "SIGKILL");
  await expect(gone).resolves.toBe("");
}, 30_000);

test("a command gets a signal only once, even if it takes long to end", async () => {
  const { shell, gone } = await start(STAYS + ENDS_IN_ORDER);
  shell.kill("SIGTERM");
  await expect(gone).resolves.toBe("ended in order\n");
}, 30_000);

/** An installation that kills the shell, like a user who does not wait for it. */
const ENDED_MEANWHILE = `import { mkdirSync, symlinkSync } from "node:fs";
mkdirSync("node_modules/node/bin", { recursive: true });
symlinkSync(process.execPath, "node_modules/node/bin/node");
process.kill(Number(process.env.NPM), "SIGKILL");`;

test("nothing is started if npm was killed during the installation of packages", async () => {
  const folder = await folderWith({ "npm.mjs": ENDED_MEANWHILE, "stays.mjs": STAYS });
  await symlink(join(ROOT, "scripts"), join(folder, "scripts"));
  const environment = { npm_execpath: join(folder, "npm.mjs") };
  const shell = startByShell(folder, "../stays.mjs", environment);
  const said: string[] = [];
  const lines = createInterface({ input: shell.stdout }).on("line", (line) => {
    said.push(line);
    for (const pid of line.split(" ").map(Number)) if (pid > 0) process.kill(pid, "SIGKILL");
  });
  await once(lines, "close");
  expect(said).toEqual(["Installing packages …"]);
}, 30_000);
