import pg from "pg";
import { migrateDashboard } from "#lib/db/migrate.ts";
import { migrateService } from "../service/db/migrate.ts";
import { prepareJobs } from "../service/jobs.ts";
import { withClient } from "./database/client.ts";
import { CommandFailure, readOptions, systemReasonOf, runCommand } from "./process/command.ts";

const HELP = `node scripts/migrate.ts
Runs the migrations as the role that owns the tables, and grants the program's role what it needs:
reading and writing rows, but only reading and adding in the audit log, and reading the migrations.
Programs that start afterwards need no such right. Running it again changes nothing.

  DATABASE_OWNER_URL, DATABASE_ROLE                  the dashboard's database as its owner; the program's role
  SERVICE_DATABASE_OWNER_URL, SERVICE_DATABASE_ROLE  the same of the billing service

Either pair may be left out. The owner's URL must not lead through a pooler.`;

interface Program {
  name: string;
  owner: string;
  role: string;
  schemas: string[];
  migrate: (url: string) => Promise<void>;
  /** Tables with restricted rights; on all others the role may read and write rows. */
  less: Record<string, string>;
}

const PROGRAMS: Program[] = [
  {
    name: "dashboard",
    owner: "DATABASE_OWNER_URL",
    role: "DATABASE_ROLE",
    schemas: ["public"],
    migrate: (url) => migrateDashboard(url),
    less: { schema_migration: "select", audit_log: "select, insert" },
  },
  {
    name: "billing service",
    owner: "SERVICE_DATABASE_OWNER_URL",
    role: "SERVICE_DATABASE_ROLE",
    schemas: ["public", "pgboss"],
    migrate: async (url) => {
      await migrateService(url);
      await prepareJobs(url);
    },
    less: { schema_migration: "select" },
  },
];

async function prepare({ name, owner, role, migrate, ...rights }: Program) {
  const url = process.env[owner] ?? "";
  const runs = process.env[role] ?? "";
  if (url === "" && runs === "") return;
  if (url === "" || runs === "")
    throw new CommandFailure(`set both ${owner} and ${role}, or neither.`);
  if (URL.parse(url)?.username === runs)
    throw new CommandFailure(
      `${role} is the owner itself: the program needs a role of its own.`,
    );
  try {
    await migrate(url);
    await grant(url, runs, rights);
  } catch (error) {
    throw new CommandFailure(`${owner} cannot be used: ${systemReasonOf(error)}.`);
  }
  console.log(`The ${name}'s tables are ready; ${runs} reads and writes their rows.`);
}

async function grant(url: string, role: string, rights: Pick<Program, "schemas" | "less">) {
  const to = pg.escapeIdentifier(role);
  const schemas = rights.schemas.map(pg.escapeIdentifier).join(", ");
  const restricted = Object.entries(rights.less).map(
    ([table, some]) => `revoke all on ${table} from ${to}; grant ${some} on ${table} to ${to};`,
  );
  // One query of several statements is one transaction.
  await withClient(url, (client) =>
    client.query(
      `grant usage on schema ${schemas} to ${to};
       grant select, insert, update, delete on all tables in schema ${schemas} to ${to};
       grant usage on all sequences in schema ${schemas} to ${to};
       ${restricted.join("\n")}`,
    ),
  );
}

await runCommand(async () => {
  const { values } = readOptions({ options: { help: { type: "boolean", default: false } } });
  if (values.help) return console.log(HELP);
  if (PROGRAMS.every(({ owner }) => !process.env[owner]))
    throw new CommandFailure("no database is named; see --help.");
  for (const program of PROGRAMS) await prepare(program);
});
