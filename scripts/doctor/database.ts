import { existsSync } from "node:fs";
import { readdir, statfs } from "node:fs/promises";
import pg from "pg";
import { IS_ARCHIVE_FAILING } from "#contract/process/database.ts";
import { systemReasonOf } from "../process/command.ts";
import { type DatabaseName, MIGRATIONS, VARIABLES } from "../process/settings.ts";
import {
  countWithNoun,
  failure,
  presentFindings,
  note,
  ok,
  warning,
  type Finding,
} from "./finding.ts";

const OLDEST = 15;
const GIB = 1_024 ** 3;

/** Opens a small pool of connections, in UTC like those of the programs; the caller ends it. */
export function openCheckPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    application_name: "duebook-doctor",
    options: "-c TimeZone=UTC",
  });
  pool.on("error", () => {});
  return pool;
}

interface State {
  version: number;
  time_zone: string;
  is_replica: boolean;
  used: number;
  most: number;
  is_archive_failing: boolean;
}

/** Checks that the database answers, is writable, is recent enough and has this version's tables. */
export async function checkDatabase(program: DatabaseName, pool: pg.Pool): Promise<Finding[]> {
  const state = await readState(pool).catch((error: unknown) => systemReasonOf(error));
  if (typeof state === "string")
    return [
      failure(
        `The ${program}'s database cannot be used: ${state || "nothing answers there"}.`,
        `Check ${VARIABLES[program]}, and that PostgreSQL runs and accepts connections from here.`,
      ),
    ];
  return [
    ...judgeServer(program, state),
    judgeConnections(program, state),
    ...presentFindings(
      state.is_archive_failing &&
        warning(
          `The ${program}'s database server cannot archive its log: no later moment can be restored, and its disk fills.`,
          "Look at the log of PostgreSQL for archive_command, and at the place of the archive.",
        ),
    ),
    ...(state.is_replica ? [] : [await checkCommit(program, pool)]),
    await checkMigrations(program, pool),
  ];
}

const COMMIT_TIMEOUT = 5_000;
const SLOW_COMMIT = 200;

/** Commits a message that nobody reads: it changes no row, and waits for a replica as every write does. */
async function checkCommit(program: DatabaseName, pool: pg.Pool): Promise<Finding> {
  const message = {
    text: "select pg_logical_emit_message(true, 'duebook-doctor', '')",
    query_timeout: COMMIT_TIMEOUT,
  };
  const began = performance.now();
  const problem = await pool.query(message).then(
    () => null,
    (error: unknown) => systemReasonOf(error),
  );
  const ms = Math.round(performance.now() - began);
  if (problem !== null)
    return failure(
      `The ${program}'s database commits nothing: ${problem}.`,
      "Without a replica that confirms commits, writes wait: start it. Else look at the disk and the log of PostgreSQL.",
    );
  const words = `The ${program}'s database commits in ${ms} ms.`;
  return ms < SLOW_COMMIT
    ? ok(words)
    : warning(
        words,
        "Every write waits for it: look at the disks, and the network to the replica.",
      );
}

/** Checks the replica that search, reports and files read; without it they read the primary. */
export async function checkReplica(url: string | undefined): Promise<Finding[]> {
  if (!url) return [];
  const pool = openCheckPool(url);
  const state = await readState(pool).catch((error: unknown) => systemReasonOf(error));
  await pool.end();
  if (typeof state === "string")
    return [
      warning(
        `The replica cannot be used: ${state || "nothing answers there"}. Search, reports and files read the primary.`,
        "Check DATABASE_REPLICA_URL, and that the replica runs.",
      ),
    ];
  return [
    state.is_replica
      ? ok("The replica answers, and is one.")
      : warning(
          "DATABASE_REPLICA_URL leads to a primary, which replicates nothing.",
          "Set it to the address of the replica, or leave it out.",
        ),
  ];
}

async function readState(pool: pg.Pool): Promise<State> {
  const { rows } = await pool.query<State>(
    `select current_setting('server_version_num')::int / 10000 as version,
            current_setting('TimeZone') as time_zone, pg_is_in_recovery() as is_replica,
            (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
            current_setting('max_connections')::int
              - current_setting('superuser_reserved_connections')::int as most,
            ${IS_ARCHIVE_FAILING} as is_archive_failing`,
  );
  return rows[0] as State;
}

export function judgeServer(
  program: DatabaseName,
  { version, time_zone, is_replica }: Pick<State, "version" | "time_zone" | "is_replica">,
): Finding[] {
  const faults = presentFindings(
    version < OLDEST &&
      failure(
        `The ${program}'s database is PostgreSQL ${version}; it needs ${OLDEST} or newer.`,
        "Upgrade the database server.",
      ),
    is_replica &&
      failure(
        `The ${program}'s database is a read-only replica.`,
        `Set ${VARIABLES[program]} to the address of the primary; on three machines, see the cluster.`,
      ),
    time_zone !== "UTC" &&
      failure(
        `The ${program}'s connections have the time zone ${time_zone} instead of UTC.`,
        "Configure the pooler to pass on the startup parameter 'options'.",
      ),
  );
  return faults.length > 0
    ? faults
    : [ok(`The ${program}'s database answers: PostgreSQL ${version}, in UTC.`)];
}

export function judgeConnections(
  program: DatabaseName,
  { used, most }: Pick<State, "used" | "most">,
): Finding {
  const words = `${used} of the ${most} connections of the ${program}'s database server are in use.`;
  if (used < most * 0.8) return ok(words);
  return warning(
    words,
    "Raise max_connections, put a pooler before it, or run fewer processes; a dashboard takes up to 20, a service up to 42.",
  );
}

async function checkMigrations(program: DatabaseName, pool: pg.Pool): Promise<Finding> {
  const files = await readdir(MIGRATIONS[program]);
  const known = new Set(files.filter((name) => name.endsWith(".sql")));
  const { rows } = await pool
    .query<{ name: string }>("select name from schema_migration")
    .catch(() => ({ rows: [] }));
  const applied = new Set(rows.map(({ name }) => name));
  const missing = known.difference(applied).size;
  const strange = applied.difference(known).size;
  const tables = `The ${program}'s tables`;
  if (strange > 0)
    return failure(
      `${tables} are of a newer Duebook: ${countWithNoun(strange, "migration")} unknown here.`,
      "Start the newer one, or restore a backup from before its first start.",
    );
  if (missing > 0)
    return failure(
      `${tables} are not up to date: ${countWithNoun(missing, "migration")} of ${known.size} missing.`,
      "Start Duebook: it runs them itself, or says why it cannot. On several machines run scripts/migrate.ts first.",
    );
  return ok(`${tables} are up to date (${countWithNoun(known.size, "migration")}).`);
}

/** Checks free space of the data directories here; the disk of a remote database cannot be seen. */
export async function checkDisk(dataDirectory: string): Promise<Finding[]> {
  const { PATRONI_POSTGRESQL_DATA_DIR, ETCD_DATA_DIR, DATABASE_URL } = process.env;
  const folders = [dataDirectory, PATRONI_POSTGRESQL_DATA_DIR, ETCD_DATA_DIR].filter(
    (folder) => folder !== undefined && existsSync(folder),
  );
  const findings = folders.map(async (folder = "") => {
    const { bavail, blocks, bsize } = await statfs(folder);
    return judgeDisk(folder, bavail * bsize, blocks * bsize);
  });
  return presentFindings(
    ...(await Promise.all(findings)),
    Boolean(DATABASE_URL) &&
      !PATRONI_POSTGRESQL_DATA_DIR &&
      note("The disk of DATABASE_URL's machine cannot be checked from here."),
  );
}

export function judgeDisk(folder: string, free: number, all: number): Finding {
  const words = `${(free / GIB).toFixed(1)} GiB of ${(all / GIB).toFixed(1)} are free where ${folder} is.`;
  const remedy = "Free some space, or move it to a larger disk.";
  if (free < GIB / 4) return failure(words, remedy);
  return free < GIB || free < all * 0.05 ? warning(words, remedy) : ok(words);
}
