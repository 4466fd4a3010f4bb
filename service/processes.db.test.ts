import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import { killPrograms } from "./testing/kill/run.ts";
import { playSequencesOnProcesses } from "./testing/model/processes.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase("service");
});
afterEach(() => database.drop());

const anySeed = () => Math.floor(Math.random() * 1_000_000);

describe("several services and workers over one database", () => {
  it("no webhook event is lost, repeated or added when processes are killed", async () => {
    const report = await killPrograms({
      databaseUrl: database.url,
      rounds: 5,
      seed: anySeed(),
      roles: ["service", "service and worker", "worker"],
    });
    expect(report.kills).toBeGreaterThanOrEqual(5);
    expect(report.arrivals).toBeGreaterThanOrEqual(report.deliveries);
    expect(report.payments).toBeGreaterThan(0);
  }, 120_000);

  it("the records of several concurrent processes agree with a model of the specification's state table", async () => {
    await playSequencesOnProcesses({
      databaseUrl: database.url,
      processes: 2,
      sequences: 10,
      lanes: 2,
      seed: anySeed(),
    });
  }, 120_000);
});
