import { chownSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { withClient } from "#scripts/database/client.ts";
import { ensureDirectory } from "#scripts/process/files.ts";
import { databaseUrl, startPostgres, type PostgresServer } from "#scripts/database/postgres.ts";
import { unprivilegedUser } from "#scripts/database/postgres-home.ts";

const SLOT = "replica";
const TRIES = 20;

export interface RolePasswords {
  dashboard: string;
  dashboard_owner: string;
  service: string;
  service_owner: string;
  replica: string;
}

/** A primary and a replica that follows it by a replication slot, each in its own folder. */
export class PrimaryAndReplica {
  primary: PostgresServer;
  replica: PostgresServer;
  readonly #folder: string;

  private constructor(folder: string, primary: PostgresServer, replica: PostgresServer) {
    this.#folder = folder;
    this.primary = primary;
    this.replica = replica;
  }

  /** @param prepare SQL statements that the primary runs before the replica is copied */
  static async start(
    folder: string,
    prepare: readonly string[] = [],
  ): Promise<PrimaryAndReplica> {
    const [home, other] = [join(folder, "primary"), join(folder, "replica")];
    const first = await startPostgres(home);
    await withClient(first.url("postgres"), async (admin) => {
      for (const statement of prepare) await admin.query(statement);
      await admin.query("select pg_create_physical_replication_slot($1, true)", [SLOT]);
    });
    // Copying a stopped server needs no pg_basebackup, which the packages lack.
    await first.close();
    await copyHome(home, other);
    const primary = await startPostgres(home);
    follow(join(other, "postgres", "cluster"), primary.url("postgres"));
    return new PrimaryAndReplica(folder, primary, await startPostgres(other));
  }

  /** Restarts a stopped or killed server, as a supervisor does. */
  async startAgain(which: "primary" | "replica"): Promise<void> {
    this[which] = await retryStart(() => startPostgres(join(this.#folder, which)));
  }

  /** Kills the postmaster; its child processes notice and end. */
  kill(which: "primary" | "replica"): void {
    process.kill(this.pid(which), "SIGKILL");
  }

  pid(which: "primary" | "replica"): number {
    const file = join(this.#folder, which, "postgres", "cluster", "postmaster.pid");
    return Number(readFileSync(file, "utf8").split("\n")[0]);
  }

  async close(): Promise<void> {
    await this.replica.close();
    await this.primary.close();
  }
}

async function copyHome(from: string, to: string) {
  const user = unprivilegedUser();
  await ensureDirectory(to, 0o711);
  const [source, target] = [join(from, "postgres"), join(to, "postgres")];
  cpSync(source, target, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !path.endsWith(".log") && !path.includes(".s.PGSQL"),
  });
  if (user) ownAll(target, user.uid, user.gid);
}

function ownAll(folder: string, uid: number, gid: number) {
  chownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chownSync(join(entry.parentPath, entry.name), uid, gid);
}

function follow(cluster: string, primaryUrl: string) {
  const { username, password, port, searchParams } = new URL(primaryUrl);
  const host = searchParams.get("host") ?? "127.0.0.1";
  const words = `host=${host} port=${port} user=${username} password=${password}`;
  writeFileSync(
    join(cluster, "postgresql.auto.conf"),
    `primary_conninfo = '${words} application_name=replica'
primary_slot_name = '${SLOT}'
hot_standby_feedback = on
`,
  );
  writeFileSync(join(cluster, "standby.signal"), "");
}

/** Retries the start while processes of a killed server are still ending. */
async function retryStart(start: () => Promise<PostgresServer>): Promise<PostgresServer> {
  for (let tries = 1; ; tries += 1)
    try {
      return await start();
    } catch (error) {
      if (tries >= TRIES) throw error;
      await delay(250);
    }
}

/** The server's URL for another role and its program's database. */
export function databaseUrlOf(
  server: PostgresServer,
  role: Exclude<keyof RolePasswords, "replica">,
  passwords: RolePasswords,
) {
  const url = new URL(databaseUrl(server.url("postgres"), role.replace("_owner", "")));
  Object.assign(url, { username: role, password: passwords[role] });
  return url.href;
}

/** The SQL statements that deploy/postgres-init.sh gives to psql. */
export function initStatements(script: string, passwords: RolePasswords): string[] {
  const [, sql = ""] = /<<'SQL'\n([\s\S]*?)\nSQL\n/.exec(script) ?? [];
  return sql
    .replaceAll(/^--.*$/gm, "")
    .replaceAll(/:'(\w+)'/g, (_all, name: keyof RolePasswords) =>
      pg.escapeLiteral(passwords[name]),
    )
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
