import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateService } from "../../service/db/migrate.ts";
import { killPrograms, type KillReport } from "../../service/testing/kill/run.ts";
import { positiveOption, readOptions, runCommand } from "#scripts/process/command.ts";
import { startPostgres } from "#scripts/database/postgres.ts";

const HELP = `npm run trial kill -- [--rounds N] [--seed N]
Kills services and workers (kill -9) at random moments, a hundred times, while sellers and buyers use
them; then compares what is stored and delivered with the answers that they got.`;

const { values } = readOptions({
  options: {
    rounds: { type: "string", default: "100" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    help: { type: "boolean", default: false },
  },
});

function print(report: KillReport) {
  const { kills, faults, acknowledged, unknown, repeated, receipts } = report;
  const { events, deliveries, arrivals, payments, given_back } = report;
  console.log(`${kills} processes killed, ${faults} answers with 5xx
${acknowledged} writes acknowledged, ${repeated} repeated with their key, ${unknown} unknown
${payments} payments, ${receipts} receipts seen, ${given_back} given back
${events} events, ${deliveries} deliveries, ${arrivals} arrivals: ${arrivals - deliveries} doubled
Nothing was lost, done twice or made up.`);
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const [rounds, seed] = [
    positiveOption("rounds", values.rounds),
    positiveOption("seed", values.seed),
  ];
  console.log(`seed ${seed}`);
  const directory = await mkdtemp(join(tmpdir(), "duebook-kill-"));
  const postgres = await startPostgres(directory);
  try {
    await postgres.ensureDatabase("service");
    const databaseUrl = postgres.url("service");
    await migrateService(databaseUrl);
    print(
      await killPrograms({
        databaseUrl,
        rounds,
        seed,
        roles: ["service", "service and worker", "worker", "worker"],
        onRound: (round) => {
          if (round % 10 === 0) console.log(`${round} of ${rounds} rounds`);
        },
      }),
    );
  } finally {
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
});
