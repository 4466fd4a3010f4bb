import { parseArgs } from "node:util";
import { readConfig } from "./config.ts";
import { openPool } from "./db/database.ts";
import { migrateService } from "./db/migrate.ts";
import { seedDemonstration } from "./seed/seed.ts";

process.env.TZ = "UTC";

const HELP = `Usage: npm run -s service:admin -- <command> [options]

Commands
  seed     Add the demonstration seller (once) and print an API key for it.
             --subscriptions N   how many subscriptions it gets (default 250)
Options
  --json   print JSON instead of words
  --help   print this text
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    subscriptions: { type: "string", default: "250" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

async function seed() {
  const subscriptions = Number(values.subscriptions);
  if (!Number.isInteger(subscriptions) || subscriptions < 0)
    throw new Error("--subscriptions takes a whole number");
  const config = readConfig();
  await migrateService(config.databaseUrl);
  const pool = openPool(config.databaseUrl);
  try {
    const seller = await seedDemonstration(pool, { ...config, subscriptions, now: new Date() });
    console.log(
      values.json
        ? JSON.stringify({ sellers: [seller] })
        : `${seller.name} (${seller.state}, ${seller.mode} mode)\nAPI key, shown once: ${seller.key}`,
    );
  } finally {
    await pool.end();
  }
}

const [command] = positionals;
if (values.help || command === undefined) console.log(HELP);
else if (command === "seed")
  await seed().catch((error: unknown) => {
    console.error(`service:admin: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  });
else {
  console.error(`service:admin: there is no command '${command}'. --help lists them.`);
  process.exitCode = 2;
}
