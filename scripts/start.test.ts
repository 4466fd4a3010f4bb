import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "./settings.ts";

/** Says who started it and who it is, and stays. */
const STAYS = "console.log(process.ppid, process.pid); setInterval(() => {}, 1_000);";

/** As npm does: by a shell. @returns it, the process of start.mjs, and when nothing of it is left */
async function start(): Promise<{
  shell: ChildProcess;
  starter: number;
  gone: Promise<string>;
}> {
  const folder = await mkdtemp(join(tmpdir(), "duebook-start-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "stays.mjs"), STAYS);
  const command = relative(join(ROOT, "scripts"), join(folder, "stays.mjs"));
  const shell = spawn(
    "sh",
    ["-c", `"${process.execPath}" scripts/start.mjs ${command}; true`],
    {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, npm_lifecycle_event: "up" },
    },
  );
  const lines = createInterface({ input: shell.stdout });
  const [starter = 0, child = 0] = await new Promise<number[]>((resolve) => {
    lines.once("line", (line) => resolve(line.split(" ").map(Number)));
  });
  onTestFinished(() => {
    for (const pid of [starter, child].filter(isRunning)) process.kill(pid, "SIGKILL");
  });
  // All of them write there: it ends with the last one.
  return { shell, starter, gone: text(shell.stdout) };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("what npm started ends when npm and its shell are told to end", async () => {
  const { shell, gone } = await start();
  shell.kill("SIGTERM");
  await expect(gone).resolves.toBe("");
}, 30_000);

test("a command ends when what started it is killed", async () => {
  const { starter, gone } = await start();
  process.kill(starter, "SIGKILL");
  await expect(gone).resolves.toBe("");
}, 30_000);
