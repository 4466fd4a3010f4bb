import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { migrateService } from "../../service/db/migrate.ts";
import { arbitrarySequence } from "../../service/testing/model/actions.ts";
import { playSequence } from "../../service/testing/model/play.ts";
import { playSequencesOnProcesses } from "../../service/testing/model/processes.ts";
import { testClockControl } from "../../service/testing/model/time.ts";
import { startTestService } from "../../service/testing/service.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { startPostgres } from "#scripts/database/postgres.ts";

process.env.TZ = "UTC";

const HELP = `Usage: npm run trial model -- [sequences] [seed] [--processes N]

Plays random sequences (10,000 by default) of actions of sellers, buyers and time on the billing service
and on a simple model of the specification's state table, and compares both. A failure prints the
shortest sequence found and its seed. With --processes each request goes to any of N services, beside N
workers, and time is that of the sellers' sandbox clocks.
`;

interface Run {
  databaseUrl: string;
  sequences: number;
  lanes: number;
  seed: number;
  onPlayed: () => void;
}

async function run(sequences: number, seed: number, processes: number) {
  const directory = await mkdtemp(join(tmpdir(), "duebook-model-"));
  const server = await startPostgres(directory, { durable: false });
  try {
    await server.ensureDatabase("model");
    const databaseUrl = server.url("model");
    await migrateService(databaseUrl);
    const lanes = Math.max(2, Math.min(4, availableParallelism()));
    const began = performance.now();
    let played = 0;
    const report = () =>
      console.log(`${played} of ${sequences} (${Math.round(performance.now() - began)} ms)`);
    const onPlayed = () => {
      played += 1;
      if (played % 500 === 0) report();
    };
    const all = { databaseUrl, sequences, lanes, seed, onPlayed };
    await (processes === 0 ? playHere(all) : playSequencesOnProcesses({ ...all, processes }));
    report();
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Runs several lanes, each with its own clock, to keep the database busy. */
async function playHere({ databaseUrl, sequences, lanes, seed, onPlayed }: Run) {
  const ended = await Promise.allSettled(
    Array.from({ length: lanes }, async (_, lane) => {
      const service = await startTestService(databaseUrl);
      const numRuns = Math.floor(sequences / lanes) + (lane < sequences % lanes ? 1 : 0);
      const property = fc.asyncProperty(arbitrarySequence, async (one) => {
        await playSequence(service, testClockControl(service), one);
        onPlayed();
      });
      try {
        await fc.assert(property, { numRuns, seed: seed + lane });
      } finally {
        await service.close();
      }
    }),
  );
  for (const lane of ended) if (lane.status === "rejected") throw lane.reason;
}

const { values, positionals } = readOptions({
  options: { processes: { type: "string", default: "0" }, help: { type: "boolean" } },
  allowPositionals: true,
});
const [count = "10000", seed = String(Date.now() % 1_000_000)] = positionals;
const isUnderstood =
  /^[1-9]\d{0,7}$/.test(count) && /^\d{1,9}$/.test(seed) && /^\d$/.test(values.processes);
await runCommand(async () => {
  if (values.help) return console.log(HELP);
  if (!isUnderstood)
    throw new CommandFailure(
      "the arguments are: number of sequences, seed, and --processes 0 to 9.",
    );
  console.log(`seed ${seed}`);
  await run(Number(count), Number(seed), Number(values.processes));
});
