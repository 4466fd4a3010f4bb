import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "./process/settings.ts";
import { createTestDatabase } from "#tools/testing/database.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");

test("a second signal does not interrupt the worker's shutdown", async () => {
  const database = await createTestDatabase("dashboard");
  onTestFinished(database.drop);
  const command = ["--conditions=react-server", "scripts/worker-process.ts"];
  const worker = spawn(process.execPath, command, {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      NODE_ENV: "production",
      TZ: "UTC",
      DATABASE_URL: database.url,
      NEXTAUTH_URL: "http://localhost:3000",
      NEXTAUTH_SECRET: KEY,
      API_KEY_ENCRYPTION_KEY: KEY,
      BILLING_SANDBOX_API_URL: "http://127.0.0.1:9",
    },
  });
  onTestFinished(() => void worker.kill("SIGKILL"));
  await once(createInterface({ input: worker.stderr }), "line");
  // A pool ends before its connections do, and dropping the database would break those.
  const [holder, watcher] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([holder.connect(), watcher.connect()]);
  onTestFinished(async () => {
    await Promise.all([holder.end(), watcher.end()]);
  });
  await holder.query("begin");
  await holder.query("lock table mirror in access exclusive mode");
  const ended = once(worker, "exit");
  worker.kill("SIGTERM");
  // The worker releases its leases, and for that waits for the locked table.
  const waits =
    "select from pg_stat_activity where query ~ '^update mirror' and wait_event_type = 'Lock'";
  await expect.poll(async () => (await watcher.query(waits)).rowCount).toBe(1);
  worker.kill("SIGTERM");
  await holder.query("commit");
  await expect(ended).resolves.toEqual([0, null]);
}, 60_000);
