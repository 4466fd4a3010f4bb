import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { migrateService } from "../../service/db/migrate.ts";
import { playReminders } from "../../service/testing/reminders/play.ts";
import { arbitraryReminders } from "../../service/testing/reminders/sequence.ts";
import { startTestService } from "../../service/testing/service.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { startPostgres } from "#scripts/database/postgres.ts";

process.env.TZ = "UTC";

const HELP = `Usage: npm run trial reminders -- [sequences] [seed]

Plays random sequences (10,000 by default) of payments, promises, opt-outs, moved clocks, pauses and killed
workers around month ends, and compares what arrives at a gateway with what is due by hand: nothing twice,
late, in quiet hours, to who has paid or opted out, and nothing forgotten. A failure prints the shortest
sequence found and its seed.
`;

async function run(sequences: number, seed: number) {
  const directory = await mkdtemp(join(tmpdir(), "duebook-reminders-"));
  const server = await startPostgres(directory, { durable: false });
  const began = performance.now();
  let played = 0;
  const report = () =>
    console.log(`${played} of ${sequences} (${Math.round(performance.now() - began)} ms)`);
  try {
    await server.ensureDatabase("reminders");
    const databaseUrl = server.url("reminders");
    await migrateService(databaseUrl);
    const service = await startTestService(databaseUrl);
    const property = fc.asyncProperty(arbitraryReminders, async (one) => {
      await playReminders(service, one);
      played += 1;
      if (played % 500 === 0) report();
    });
    try {
      await fc.assert(property, { numRuns: sequences, seed });
    } finally {
      await service.close();
    }
    report();
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

const { values, positionals } = readOptions({
  options: { help: { type: "boolean" } },
  allowPositionals: true,
});
const [count = "10000", seed = String(Date.now() % 1_000_000)] = positionals;
await runCommand(async () => {
  if (values.help) return console.log(HELP);
  if (!/^[1-9]\d{0,7}$/.test(count) || !/^\d{1,9}$/.test(seed))
    throw new CommandFailure("the arguments are: number of sequences, and seed.");
  console.log(`seed ${seed}`);
  await run(Number(count), Number(seed));
});
