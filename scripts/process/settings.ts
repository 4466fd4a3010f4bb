import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { blockedPortMessage, isBlocked } from "#contract/process/network.ts";
import { CommandFailure, systemReasonOf } from "./command.ts";
import { startPostgres, type PostgresServer } from "../database/postgres.ts";

export const ROOT = resolve(import.meta.dirname, "../..");

export interface Settings {
  host: string;
  port: number;
  servicePort: number;
  dataDirectory: string;
  /** The URLs of the billing services; if none is external, the embedded one is that of test mode. */
  serviceUrls: { live: string | null; test: string | null };
  ownService: boolean;
  demonstration: boolean;
  /** Whether the demonstration gets a year of payments and reminders. */
  hasHistory: boolean;
}

/**
 * Loads .env from the folder.
 * @throws CommandFailure naming the first line that Node would silently skip
 */
export function loadEnvFile(folder = ROOT): void {
  process.chdir(folder);
  if (!existsSync(".env")) return;
  try {
    // After a byte order mark Node silently skips the first setting.
    const text = readFileSync(".env", "utf8").replace(/^\uFEFF/, "");
    const line = malformedLine(text);
    if (line !== null) throw new CommandFailure(`line ${line} of .env is not NAME=value.`);
    for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
  } catch (error) {
    throw error instanceof CommandFailure
      ? error
      : new CommandFailure(`cannot read .env: ${systemReasonOf(error)}.`);
  }
}

/** The number of the first line that is neither a setting nor a comment; null if there is none. */
export function malformedLine(text: string): number | null {
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (/^\s*(#|$)/.test(line)) continue;
    const value = /^\s*(?:export\s+)?[A-Za-z_]\w*\s*=\s*(.*)$/.exec(line)?.[1];
    if (value === undefined) return at + 1;
    const quote = /^["'`]/.exec(value)?.[0];
    if (!quote) continue;
    const open = [value.slice(1), ...lines.slice(at + 1)];
    const end = open.findIndex((later) => later.includes(quote));
    const rest = open[end]?.slice(open[end].indexOf(quote) + 1);
    if (rest === undefined || !/^\s*(#.*)?$/.test(rest)) return at + 1;
    at += end;
  }
  return null;
}

/** Settings of the commands, from the environment and .env; the environment wins. */
export function readSettings(): Settings {
  loadEnvFile();
  const { env } = process;
  const ownService = !env["BILLING_API_URL"] && !env["BILLING_SANDBOX_API_URL"];
  const port = readPort("PORT", 3000);
  const servicePort = readPort("SERVICE_PORT", 4000);
  if (ownService && port === servicePort)
    throw new CommandFailure(
      `PORT and SERVICE_PORT are both ${port}. Give each program its own.`,
    );
  return {
    host: env["HOST"] || "127.0.0.1",
    port,
    servicePort,
    dataDirectory: resolve(env["DATA_DIR"] || ".data"),
    serviceUrls: {
      live: env["BILLING_API_URL"] || null,
      test:
        env["BILLING_SANDBOX_API_URL"] ||
        (ownService ? `http://localhost:${servicePort}` : null),
    },
    ownService,
    ...readDemonstration(env["DEMONSTRATION"] || "on"),
  };
}

function readDemonstration(text: string) {
  if (text === "on" || text === "plain" || text === "off")
    return { demonstration: text !== "off", hasHistory: text === "on" };
  throw new CommandFailure(`DEMONSTRATION is '${text}', but it must be on, plain or off.`);
}

/**
 * Reads the port in a variable.
 * @throws CommandFailure naming the variable when it is not a port
 */
export function readPort(name: string, standard: number): number {
  const text = process.env[name] || String(standard);
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CommandFailure(`${name} is '${text}', but a port is a number from 1 to 65535.`);
  return port;
}

/**
 * Checks that a port can be used.
 * @throws CommandFailure naming the variable when the port is taken or blocked by browsers
 */
export async function requireFreePort(
  variable: string,
  port: number,
  host: string,
): Promise<void> {
  const probe = createServer();
  const error = await new Promise<NodeJS.ErrnoException | null>((done) => {
    probe.once("error", done);
    probe.listen(port, host, () => done(null));
  });
  if (!error) {
    await new Promise((done) => probe.close(done));
    return requireOpenPort(variable, port);
  }
  throw new CommandFailure(
    error.code === "EADDRINUSE"
      ? `port ${port} is taken. Stop what uses it, or set ${variable} to a free port.`
      : `cannot listen on ${host}:${port} (${variable}): ${systemReasonOf(error)}.`,
  );
}

/**
 * Checks that browsers can open a port.
 * @throws CommandFailure naming the variable when they block it
 */
export async function requireOpenPort(variable: string, port: number): Promise<void> {
  if (await isBlocked(port)) throw new CommandFailure(blockedPortMessage(variable, port));
}

export const VARIABLES = {
  dashboard: "DATABASE_URL",
  service: "SERVICE_DATABASE_URL",
} as const;
export type DatabaseName = keyof typeof VARIABLES;

export const MIGRATIONS: Record<DatabaseName, string> = {
  dashboard: resolve(ROOT, "lib/db/migrations"),
  service: resolve(ROOT, "service/db/migrations"),
};

export interface Databases {
  /** Connection URL of each database. */
  urls: Record<DatabaseName, string>;
  /** The embedded server, or null when the environment names all needed databases. */
  server: PostgresServer | null;
}

const placeOf = (name: DatabaseName) => {
  const text = process.env[VARIABLES[name]] ?? "";
  const url = URL.parse(text);
  return url ? `${url.hostname}:${url.port || 5432}${url.pathname}${url.search}` : text;
};

/** Connection URLs of the environment; missing ones point to the embedded server. */
export async function openDatabases(
  dataDirectory: string,
  needed: readonly DatabaseName[] = ["dashboard", "service"],
): Promise<Databases> {
  const given = (name: DatabaseName) => process.env[VARIABLES[name]] || null;
  const missing = needed.filter((name) => given(name) === null);
  if (missing.length === 0 && needed.length > 1 && new Set(needed.map(placeOf)).size === 1)
    throw new CommandFailure(
      "DATABASE_URL and SERVICE_DATABASE_URL name the same database. Each program needs its own.",
    );
  const server = missing.length > 0 ? await startPostgres(dataDirectory) : null;
  try {
    for (const name of missing) await server?.ensureDatabase(name);
  } catch (error) {
    await server?.close();
    throw new CommandFailure(`the database cannot be used: ${systemReasonOf(error)}.`);
  }
  const url = (name: DatabaseName) => given(name) ?? server?.url(name) ?? "";
  return { urls: { dashboard: url("dashboard"), service: url("service") }, server };
}
