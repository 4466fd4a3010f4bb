import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp } from "../../service/app.ts";
import { openPool } from "../../service/db/database.ts";
import { migrateService } from "../../service/db/migrate.ts";
import { describeService } from "../../service/openapi/document.ts";
import { operationsOf } from "../../service/openapi/operations.ts";
import { FakeProvider } from "../../service/testing/fake-provider.ts";
import { createSender } from "../../service/testing/fuzz/http.ts";
import { runServiceFuzz, type FuzzResult } from "../../service/testing/fuzz/run.ts";
import { seedFuzzedService } from "../../service/testing/fuzz/subject.ts";
import { CommandFailure, runCommand } from "#scripts/process/command.ts";
import { startPostgres } from "#scripts/database/postgres.ts";

const MOST = 1_000_000;
const USAGE = "usage: npm run trial fuzz-service -- [requests, 100000 by default] [series]";
const PUBLIC_URL = "http://billing.test";

/** Fuzzes a new service on a temporary database; no request leaves this machine. */
await runCommand(async () => {
  const [count = 100_000, series = 1] = process.argv.slice(2).map(Number);
  if (!Number.isInteger(count) || count < 1 || count > MOST || !Number.isInteger(series))
    throw new CommandFailure(USAGE);
  const directory = await mkdtemp(join(tmpdir(), "duebook-fuzz-"));
  const postgres = await startPostgres(directory, { durable: false });
  try {
    await postgres.ensureDatabase("fuzz");
    const started = performance.now();
    const result = await fuzzService(postgres.url("fuzz"), count, series);
    report(result, (performance.now() - started) / 1_000);
  } finally {
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
});

async function fuzzService(databaseUrl: string, count: number, series: number) {
  await migrateService(databaseUrl);
  const pool = openPool(databaseUrl);
  const secretsKey = Buffer.alloc(32, 7);
  const now = () => new Date();
  const providers = [new FakeProvider().adapter()];
  const rules = { mode: "test" as const, privateTargets: true, providers };
  const context = { ...rules, pool, now, publicUrl: PUBLIC_URL, secretsKey };
  const app = await buildApp(context);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const operations = operationsOf(app);
  const sender = createSender((app.server.address() as AddressInfo).port);
  try {
    return await runServiceFuzz({
      ...(await seedFuzzedService(pool, secretsKey)),
      operations,
      description: describeService(operations, { publicUrl: PUBLIC_URL, version: "1.0.2" }),
      series,
      count,
      width: 16,
      send: sender.send,
      ...(process.stderr.isTTY ? { onProgress: showProgress(count) } : {}),
    });
  } finally {
    sender.close();
    await app.close();
    await pool.end();
  }
}

const showProgress = (count: number) => (done: number) => {
  if (done % 1_000 === 0) process.stderr.write(`\r${done} of ${count}`);
};

function report({ sent, statuses, findings }: FuzzResult, seconds: number) {
  const counts = [...statuses].toSorted(([a], [b]) => a - b);
  console.log(`${sent} requests in ${seconds.toFixed(0)} s, ${findings.length} findings`);
  console.log(counts.map(([status, times]) => `${status}: ${times}`).join("  "));
  for (const { index, complaint, request } of findings)
    console.log(`\n${index}: ${complaint}\n${JSON.stringify(request).slice(0, 600)}`);
  if (findings.length > 0) throw new CommandFailure("the fuzz run found faults.");
}
