import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateService } from "../../service/db/migrate.ts";
import { killPayments } from "../../service/testing/kill/payments.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { startPostgres } from "#scripts/database/postgres.ts";

const HELP = `npm run trial kill-payments -- [rounds] [seed]
A buyer pays by two providers, one of which gives back, while the service is killed (kill -9): before each of
its statements about payments, as each request has reached a provider, before and after it takes effect, and
any of three processes at random moments (60 rounds by default). Then the providers' books are compared with
the service's: all money that was taken is booked once, held, owed or given back once.`;

const { values, positionals } = readOptions({
  options: { help: { type: "boolean" } },
  allowPositionals: true,
});
const [rounds = "60", seed = String(Date.now() % 1_000_000)] = positionals;

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  if (!/^[1-9]\d{0,3}$/.test(rounds) || !/^\d{1,9}$/.test(seed))
    throw new CommandFailure("the arguments are: number of rounds, and seed.");
  console.log(`seed ${seed}`);
  const directory = await mkdtemp(join(tmpdir(), "duebook-kill-payments-"));
  const postgres = await startPostgres(directory);
  try {
    await postgres.ensureDatabase("service");
    const databaseUrl = postgres.url("service");
    await migrateService(databaseUrl);
    const counts = await killPayments({
      databaseUrl,
      rounds: Number(rounds),
      seed: Number(seed),
      onRound: (text) => console.log(text),
    });
    for (const [what, times] of Object.entries(counts).toSorted(([one], [other]) =>
      one.localeCompare(other),
    ))
      console.log(`${what}: ${times}`);
    console.log("Nothing was forgotten, booked twice or given back twice.");
  } finally {
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
});
