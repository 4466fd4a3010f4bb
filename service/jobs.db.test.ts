import { PgBoss } from "pg-boss";
import { expect, test } from "vitest";
import { createTestDatabase } from "#scripts/testing/database.ts";
import { openJobs } from "./jobs.ts";

test("a job that fails says so to whoever opened the jobs, and leaves no words of it behind", async () => {
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
