import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { startPostgres } from "./postgres.ts";
import { migrateService } from "../service/db/migrate.ts";
import { startTestService } from "../service/testing/service.ts";
import { sequence } from "../service/testing/model/actions.ts";
import { play } from "../service/testing/model/play.ts";

process.env.TZ = "UTC";

const HELP = `Usage: npm run model -- [sequences] [seed]

Plays random sequences (10,000 if not told) of what sellers, buyers and time can do on the billing
service and on a simple model of the specification's state table, and holds them against each other.
A failure prints the shortest sequence found and the seed that finds it again.
`;

/** Several lanes, each with its own clock, so that the database is not left waiting. */
async function run(sequences: number, seed: number) {
  const directory = await mkdtemp(join(tmpdir(), "duebook-model-"));
  const server = await startPostgres(directory, { durable: false });
  try {
    await server.ensureDatabase("model");
    await migrateService(server.url("model"));
    const lanes = Math.max(2, Math.min(4, availableParallelism()));
    const began = performance.now();
    let played = 0;
    const report = () =>
      console.log(`${played} of ${sequences} (${Math.round(performance.now() - began)} ms)`);
    const ended = await Promise.allSettled(
      Array.from({ length: lanes }, async (_, lane) => {
        const service = await startTestService(server.url("model"));
        const numRuns = Math.floor(sequences / lanes) + (lane < sequences % lanes ? 1 : 0);
        const property = fc.asyncProperty(sequence, async (one) => {
          await play(service, one);
          played += 1;
          if (played % 500 === 0) report();
        });
        try {
          await fc.assert(property, { numRuns, seed: seed + lane });
        } finally {
          await service.close();
        }
      }),
    );
    report();
    for (const lane of ended) if (lane.status === "rejected") throw lane.reason;
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

const [count = "10000", seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
if (!/^[1-9]\d{0,7}$/.test(count) || !/^\d{1,9}$/.test(seed)) console.log(HELP);
else {
  console.log(`seed ${seed}`);
  await run(Number(count), Number(seed));
}
