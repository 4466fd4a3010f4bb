import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/database.ts";

const ROOT = join(import.meta.dirname, "../..");
const KEY = Buffer.alloc(32, 7).toString("base64");

let dashboard: TestDatabase;
let service: TestDatabase;
beforeAll(async () => {
  [dashboard, service] = [
    await createTestDatabase("dashboard"),
    await createTestDatabase("service"),
  ];
});
afterAll(async () => {
  await dashboard.drop();
  await service.drop();
});

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** All lines of a program until it logs the text `until`, or ends. */
async function linesOf(command: string[], environment: Record<string, string>, until: string) {
  const child = spawn(process.execPath, command, {
    cwd: ROOT,
    env: { NODE_ENV: "production", TZ: "UTC", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  const lines: string[] = [];
  const said = new Promise<void>((resolve) => {
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on("line", (line) => {
        lines.push(line);
        if (line.includes(until)) resolve();
      });
  });
  await Promise.race([said, once(child, "close")]);
  return lines;
}

const ofService = () => ({
  SERVICE_DATABASE_URL: service.url,
  SERVICE_PORT: "0",
  SERVICE_SECRETS_KEY: KEY,
  SERVICE_LOG_LEVEL: "info",
});

test("all four programs log lines with level, time, program, process and message", async () => {
  const programs: [name: string, lines: string[]][] = [
    ["billing service", await linesOf(["service/main.ts"], ofService(), "Server listening")],
    ["billing service", await linesOf(["service/main.ts"], {}, "SERVICE_DATABASE_URL")],
    [
      "billing service worker",
      await linesOf(["service/worker.ts"], ofService(), "the worker is ready"),
    ],
    [
      "dashboard worker",
      await linesOf(
        ["--conditions=react-server", "scripts/worker-process.ts"],
        {
          DATABASE_URL: dashboard.url,
          NEXTAUTH_URL: "http://localhost:3000",
          NEXTAUTH_SECRET: KEY,
          API_KEY_ENCRYPTION_KEY: KEY,
          BILLING_SANDBOX_API_URL: "http://127.0.0.1:9",
        },
        "the worker is ready",
      ),
    ],
    [
      "dashboard",
      await linesOf(["scripts/dashboard.ts"], { TRUSTED_PROXIES: "many" }, "TRUSTED_PROXIES"),
    ],
  ];
  for (const [program, lines] of programs) {
    expect([program, lines.length > 0]).toEqual([program, true]);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({
        level: expect.stringMatching(/^(debug|info|warn|error|fatal)$/),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        program,
        pid: expect.any(Number),
        msg: expect.any(String),
      });
  }
});
