import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { migrateService } from "../service/db/migrate.ts";
import { killDeliveries } from "../service/testing/kill-deliveries.ts";
import { startTestService } from "../service/testing/service.ts";
import { Failure, runCommand } from "./failure.ts";
import { startPostgres } from "./postgres.ts";

const HELP = `node scripts/kill-deliveries.ts [--rounds N]
Kills delivery workers (kill -9) at random moments while records change, a hundred times.`;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "100" },
    help: { type: "boolean", default: false },
  },
});

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Failure("--rounds takes a number.");
  const directory = await mkdtemp(join(tmpdir(), "duebook-kill-"));
  const postgres = await startPostgres(directory);
  try {
    await postgres.ensureDatabase("service");
    const databaseUrl = postgres.url("service");
    await migrateService(databaseUrl);
    const service = await startTestService(databaseUrl);
    service.clock.set(new Date().toISOString());
    const report = await killDeliveries({ service, databaseUrl, rounds, random: Math.random });
    await service.close();
    console.log(
      `${report.kills} kills: ${report.events} events, each arrived, in order and verified; ` +
        `${report.arrivals - report.events} arrived more than once.`,
    );
  } finally {
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
});
