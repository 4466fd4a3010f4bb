import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { redirectConsoleToLog } from "./program-console.ts";
import { ROOT } from "./settings.ts";
import { logLinesOf } from "#tools/testing/captured-log.ts";

test("console output of Next.js is logged as JSON lines, and errors without their message", async () => {
  const usual = { ...console };
  const error = Object.assign(new Error("asha@example.com is taken"), {
    code: "23505",
    digest: "1234",
  });
  const lines = await logLinesOf(() => {
    redirectConsoleToLog();
    console.error("\u001B[31m⨯\u001B[39m", error, { typed: "asha@example.com" });
    console.warn("deprecated:\nsomething");
  });
  Object.assign(console, usual);
  expect(lines).toMatchObject([
    {
      level: "error",
      msg: "⨯",
      reference: "1234",
      fault: { name: "Error", code: "23505", place: expect.any(Array) },
    },
    { level: "warn", msg: "deprecated: something" },
  ]);
  expect(JSON.stringify(lines)).not.toContain("asha@example.com");
});

test("a program ends when its log output is closed", async () => {
  const program = `
    import { redirectConsoleToLog } from "./scripts/process/program-console.ts";
    redirectConsoleToLog();
    process.on("uncaughtException", (error) => console.error("uncaught", error));
    setInterval(() => console.error("still here"), 10);`;
  const child = spawn(
    process.execPath,
    ["--conditions=react-server", "--input-type=module", "--eval", program],
    { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stderr, "data");
  child.stderr.destroy();
  await expect(once(child, "exit")).resolves.toEqual([null, "SIGTERM"]);
}, 30_000);
