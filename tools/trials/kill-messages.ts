import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateService } from "../../service/db/migrate.ts";
import { killMessageWorkers } from "../../service/testing/kill/messages.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { startPostgres } from "#scripts/database/postgres.ts";

const HELP = `npm run trial kill-messages -- [rounds] [seed]
Kills the worker (kill -9) between claiming, sending and recording messages, fifty times, and compares what
reached a gateway with what the service acknowledged: nothing is lost, no code is sent late, and no other
message twice.`;

const { values, positionals } = readOptions({
  options: { help: { type: "boolean" } },
  allowPositionals: true,
});
const [rounds = "50", seed = String(Date.now() % 1_000_000)] = positionals;

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  if (!/^[1-9]\d{0,3}$/.test(rounds) || !/^\d{1,9}$/.test(seed))
    throw new CommandFailure("the arguments are: number of rounds, and seed.");
  console.log(`seed ${seed}`);
  const directory = await mkdtemp(join(tmpdir(), "duebook-kill-messages-"));
  const postgres = await startPostgres(directory);
  try {
    await postgres.ensureDatabase("service");
    const databaseUrl = postgres.url("service");
    await migrateService(databaseUrl);
    const report = await killMessageWorkers({
      databaseUrl,
      rounds: Number(rounds),
      seed: Number(seed),
      onRound: (round) => {
        if (round % 10 === 0) console.log(`${round} of ${rounds} rounds`);
      },
    });
    console.log(`${rounds} workers killed, ${report.acknowledged} messages acknowledged
${report.accepted} accepted; unknown: ${report.unknownArrived} that arrived, ${report.notArrived} that did not
${report.codesTwice} codes sent twice, ${report.codesEnded} ended before they could be sent
Nothing was lost or late, and only codes were sent twice.`);
  } finally {
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
});
