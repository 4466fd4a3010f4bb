import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { errorCode } from "#contract/process/log.ts";
import { CommandFailure, systemReasonOf } from "../process/command.ts";
import { withClient } from "./client.ts";
import { freePort } from "./free-port.ts";
import {
  firstErrorIn,
  ensureCluster,
  ensurePassword,
  spawnIdentity,
  postgresBinaries,
  prepareHome,
  createShortFolder,
  SUPERUSER,
  unprivilegedUser,
} from "./postgres-home.ts";

const LONGEST_SOCKET_PATH = 107;
const PORT = 5432;
const SOCKET = `.s.PGSQL.${PORT}`;

export interface PostgresServer {
  /** The address of one database of this server, for DATABASE_URL. */
  url: (database: string) => string;
  /** Creates the database unless it is there. */
  ensureDatabase: (database: string) => Promise<void>;
  /** Whether another running Duebook owns this server: close() then does not stop it. */
  borrowed: boolean;
  /** Resolves when the server ends, for whatever reason. */
  ended: Promise<void>;
  close: () => Promise<void>;
}

interface Options {
  /** Whether data must survive a power cut; off in tests. */
  durable?: boolean;
  /** How long the server may take until it accepts connections. */
  readyWithinMs?: number;
}

const READY_WITHIN_MS = 30_000;

/**
 * Starts the PostgreSQL that comes in the npm packages, keeping its data under `dataDirectory`.
 * A server left by a killed process is taken over; one that another Duebook owns is shared.
 * @throws CommandFailure with one clear line when it cannot run.
 */
export async function startPostgres(
  dataDirectory: string,
  { durable = true, readyWithinMs = READY_WITHIN_MS }: Options = {},
): Promise<PostgresServer> {
  const user = unprivilegedUser();
  const binaries = await postgresBinaries(user);
  const home = await prepareHome(dataDirectory, user);
  const password = await ensurePassword(home, user);
  await ensureCluster(binaries, home, user, durable);

  const port = process.platform === "win32" ? await freePort() : PORT;
  const socket =
    join(home, SOCKET).length <= LONGEST_SOCKET_PATH ? home : await createShortFolder(user);
  const url = (database: string) =>
    process.platform === "win32"
      ? `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`
      : `postgresql://${SUPERUSER}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(socket)}`;

  const server = await adoptServer(home, url, readyWithinMs)
    .then((adopted) => adopted ?? launch())
    .catch((error: unknown) => {
      if (error instanceof CommandFailure) throw error;
      throw new CommandFailure(`cannot keep data in ${home}: ${systemReasonOf(error)}.`);
    });
  return {
    url,
    ensureDatabase: (database) => ensureDatabase(url("postgres"), database),
    ...server,
  };

  async function launch() {
    const log = join(home, "postgres.log");
    const settings = {
      listen_addresses: process.platform === "win32" ? "127.0.0.1" : "",
      port,
      unix_socket_directories: process.platform === "win32" ? "" : socket,
      max_connections: 200,
      timezone: "UTC",
      log_timezone: "UTC",
      // The log must hold no personal data: neither statements nor the "Key (…)=(…)" details.
      log_error_verbosity: "terse",
      log_min_error_statement: "panic",
      log_parameter_max_length_on_error: 0,
      ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    };
    const options = Object.entries(settings).flatMap(([key, value]) => [
      "-c",
      `${key}=${value}`,
    ]);
    await noteLauncher(home);
    const output = openSync(log, "w", 0o600);
    const child = spawn(
      join(binaries, "postgres"),
      ["-D", join(home, "cluster"), ...options],
      // Detached: Ctrl-C must reach the programs first and the database last.
      { stdio: ["ignore", output, output], detached: true, cwd: home, ...spawnIdentity(user) },
    );
    // The child has its own descriptor; an open one here would keep a deleted file's disk space in
    // use.
    closeSync(output);
    const ended = new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      child.once("error", () => resolve());
    });
    const stopped = ended.then(() => "ended" as const);
    const outcome = await Promise.race([
      waitUntilReady(url("postgres"), child.pid, readyWithinMs),
      stopped,
    ]);
    if (outcome !== "ready") {
      child.kill("SIGKILL");
      const said = firstErrorIn(readFileSync(log, "utf8"));
      const limit = outcome === "silent" ? ` within ${readyWithinMs / 1_000} seconds` : "";
      throw new CommandFailure(`the database did not start${limit}: ${said} (log: ${log})`);
    }
    child.unref();
    return { borrowed: false, ended, close: () => stop(child.pid as number, home) };
  }
}

/** The address of another database of the same server. */
export function databaseUrl(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** A server that already runs on this directory, or null after clearing a stale pid file. */
async function adoptServer(
  home: string,
  url: (database: string) => string,
  readyWithinMs: number,
) {
  const pidFile = join(home, "cluster", "postmaster.pid");
  if (!existsSync(pidFile)) return null;
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  if (!isServerOf(join(home, "cluster"), pid)) {
    // PostgreSQL would take the process that has this pid now for another server.
    for (const file of [pidFile, join(home, `${SOCKET}.lock`)]) await rm(file, { force: true });
    return null;
  }
  const outcome = await waitUntilReady(url("postgres"), pid, readyWithinMs);
  if (outcome === "ended") return null;
  if (outcome === "silent")
    throw new CommandFailure(
      `a database server (process ${pid}) holds ${home} but has not answered for ${readyWithinMs / 1_000} seconds.`,
    );
  const borrowed = await hasOtherLauncher(home);
  if (!borrowed) await noteLauncher(home);
  return {
    borrowed,
    ended: untilGone(pid, { ref: false }),
    close: async () => {
      if (!borrowed) await stop(pid, home);
    },
  };
}

const noteLauncher = (home: string) =>
  writeFile(join(home, "launcher.pid"), `${process.pid} ${birthOf(process.pid)}`);

/**
 * Whether the noted launcher is another process that still runs. Process ids are reused: a
 * different start time means a different process.
 */
async function hasOtherLauncher(home: string): Promise<boolean> {
  const noted = await readFile(join(home, "launcher.pid"), "utf8").catch(() => "");
  const [, pid, birth] = /^(\d+)(?: (.+))?/.exec(noted) ?? [];
  const launcher = Number(pid ?? 0);
  if (launcher === process.pid || !isAlive(launcher)) return false;
  return birth === undefined || birthOf(launcher) === birth;
}

/** Start time of a process as the system prints it; empty if unknown. */
function birthOf(pid: number): string {
  if (process.platform === "win32") return "";
  if (process.platform !== "linux")
    return spawnSync("ps", ["-o", "lstart=", "-p", `${pid}`], {
      encoding: "utf8",
    }).stdout.trim();
  try {
    // The program's name, in brackets, can hold anything.
    const [, fields = ""] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return fields.split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/**
 * Whether the process is a zombie: it ended, but its parent has not waited for it (containers
 * without an init).
 */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

/**
 * Whether the process is the server of this folder. Process ids are reused after a reboot, so the
 * arguments are compared; on Windows a connection is tried.
 */
function isServerOf(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  return process.platform === "win32" || argumentsOf(pid).includes(` -D ${cluster} `);
}

function argumentsOf(pid: number): string {
  if (process.platform !== "linux")
    return spawnSync("ps", ["-ww", "-o", "args=", "-p", `${pid}`], { encoding: "utf8" }).stdout;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/**
 * Waits for the server to accept connections: it may be shutting down or replaying its log, or hang.
 */
async function waitUntilReady(
  url: string,
  pid: number | undefined,
  withinMs: number,
): Promise<"ready" | "silent" | "ended"> {
  const end = performance.now() + withinMs;
  while (pid !== undefined && isAlive(pid)) {
    const left = Math.ceil(end - performance.now());
    if (left <= 0) return "silent";
    const connectionTimeoutMillis = Math.min(2_000, left);
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return "ready";
    } catch {
      await delay(100);
    }
  }
  return "ended";
}

const ensureDatabase = (adminUrl: string, database: string) =>
  withClient(adminUrl, async (client) => {
    const found = await client.query("select from pg_database where datname = $1", [database]);
    if (found.rowCount === 0)
      await client.query(`create database ${pg.escapeIdentifier(database)}`);
  });

/**
 * Stops the server by SIGINT, PostgreSQL's fast shutdown: sessions are ended and data is flushed.
 */
async function stop(pid: number, home: string) {
  if (isAlive(pid)) process.kill(pid, "SIGINT");
  await untilGone(pid);
  await rm(join(home, "launcher.pid"), { force: true });
}

async function untilGone(pid: number, { ref = true } = {}) {
  while (isAlive(pid)) await delay(50, undefined, { ref });
}
