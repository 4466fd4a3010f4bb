import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

const IMPORT = new URL("leave-with-parent.ts", import.meta.url).href;

function start(program: string) {
  const child = spawn(process.execPath, ["--import", IMPORT, "--eval", program], {
    stdio: ["pipe", "pipe", "inherit"],
    // Only marks the program as supervised; its value is not read.
    env: { ...process.env, SUPERVISOR_PID: "1" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, ended: once(child, "exit") };
}

test("a program ends at its start if its supervisor has already ended", async () => {
  const { child, ended } = start("setInterval(() => {}, 1_000)");
  child.stdin.end();
  await expect(ended).resolves.toEqual([null, "SIGTERM"]);
});

test("a program does not pass the supervisor's process id to its child processes", async () => {
  const { child } = start("console.log(process.env.SUPERVISOR_PID ?? 'nobody')");
  await expect(text(child.stdout)).resolves.toBe("nobody\n");
});
