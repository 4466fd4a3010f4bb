import { PgBoss } from "pg-boss";
import { expect, test } from "vitest";
import { createTestDatabase } from "#tools/testing/database.ts";
import { startRelay } from "#tools/testing/servers/relay.ts";
import { openJobs } from "./jobs.ts";

test("jobs run again after their database connections have stopped answering", async () => {
  const database = await createTestDatabase("service");
  const relay = await startRelay(database.url);
  const jobs = await openJobs({ databaseUrl: relay.url }, () => {});
  let runs = 0;
  const work = async () => void (runs += 1);
  await jobs.repeat({ name: "counts", cron: "0 0 1 1 *", expireIn: 30, work });
  const sender = await new PgBoss({ connectionString: database.url, supervise: false }).start();
  await sender.send("counts");
  await expect.poll(() => runs, { timeout: 20_000 }).toBe(1);
  relay.silence();
  await sender.send("counts");
  await expect.poll(() => runs, { timeout: 60_000 }).toBe(2);
  await sender.stop();
  await jobs.close([]);
  await relay.close();
  await database.drop();
}, 100_000);

test("a failing job reports its error to the program and stores no error message in the database", async () => {
  const database = await createTestDatabase("service");
  const errors: unknown[] = [];
  const jobs = await openJobs({ databaseUrl: database.url }, (error) => errors.push(error));
  const failure = new Error("Key (email)=(a person) already exists.");
  await jobs.repeat({
    name: "fails",
    cron: "0 0 1 1 *",
    expireIn: 30,
    work: () => Promise.reject(failure),
  });
  const sender = await new PgBoss({ connectionString: database.url, supervise: false }).start();
  const id = (await sender.send("fails")) ?? "";
  const ended = async () => (await sender.getJobById("fails", id))?.completedOn ?? null;
  await expect.poll(ended, { timeout: 20_000 }).not.toBeNull();
  expect(errors).toEqual([failure]);
  expect(JSON.stringify(await sender.getJobById("fails", id))).not.toContain("a person");
  await sender.stop();
  await jobs.close([]);
  await database.drop();
});
