import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { ensureDirectory } from "./ensure-directory.ts";
import { Failure, reasonOf } from "./failure.ts";
import { startPostgres, type PostgresServer } from "./postgres.ts";

export const ROOT = resolve(import.meta.dirname, "..");

export interface Settings {
  host: string;
  port: number;
  servicePort: number;
  dataDirectory: string;
  /** The billing services that the dashboard speaks to. Without one of others, the one started here. */
  serviceUrls: { live: string | null; test: string | null };
  ownService: boolean;
  demonstration: boolean;
}

/** The environment (and .env, which it overrules) as the commands read it. */
export function readSettings(): Settings {
  process.chdir(ROOT);
  if (existsSync(".env")) process.loadEnvFile(".env");
  const { env } = process;
  const ownService = !env["BILLING_API_URL"] && !env["BILLING_SANDBOX_API_URL"];
  const servicePort = readPort("SERVICE_PORT", 4000);
  return {
    host: env["HOST"] || "127.0.0.1",
    port: readPort("PORT", 3000),
    servicePort,
    dataDirectory: resolve(env["DATA_DIR"] || ".data"),
    serviceUrls: {
      live: env["BILLING_API_URL"] || null,
      test:
        env["BILLING_SANDBOX_API_URL"] ||
        (ownService ? `http://localhost:${servicePort}` : null),
    },
    ownService,
    demonstration: env["DEMONSTRATION"] !== "off",
  };
}

/** @throws Failure naming the variable when it is no port. */
export function readPort(name: string, standard: number): number {
  const text = process.env[name] || String(standard);
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Failure(`${name} is '${text}', but a port is a number from 1 to 65535.`);
  return port;
}

/** @throws Failure naming the variable when something already listens there. */
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
  if (!error) return void (await new Promise((done) => probe.close(done)));
  throw new Failure(
    error.code === "EADDRINUSE"
      ? `port ${port} is taken. Stop what uses it, or set ${variable} to a free port.`
      : `cannot listen on ${host}:${port} (${variable}): ${reasonOf(error)}.`,
  );
}

const SECRETS = {
  NEXTAUTH_SECRET: "signs the sessions",
  API_KEY_ENCRYPTION_KEY: "encrypts the sellers' API keys",
  SERVICE_SECRETS_KEY: "encrypts the webhooks' signing secrets",
} as const;
type Secrets = Record<keyof typeof SECRETS, string>;

/** Where those are kept that were made here. */
export const secretsFile = (dataDirectory: string) => join(dataDirectory, "secrets.json");

const readKept = (file: string) =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Partial<Secrets>) : {};

/** Those of the environment and those that are kept; the others are undefined. Makes none. */
export function readSecrets(dataDirectory: string): Partial<Secrets> {
  const kept = readKept(secretsFile(dataDirectory));
  const names = Object.keys(SECRETS) as (keyof Secrets)[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name] || kept[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/** Those of the environment; for the rest, ones made once and kept under the data directory. */
export async function ensureSecrets(
  dataDirectory: string,
): Promise<{ secrets: Secrets; note: string }> {
  const file = secretsFile(dataDirectory);
  const kept = readKept(file);
  const made: string[] = [];
  for (const name of Object.keys(SECRETS) as (keyof Secrets)[])
    if (!process.env[name] && !kept[name]) {
      kept[name] = randomBytes(32).toString("base64");
      made.push(`${name} ${SECRETS[name]}`);
    }
  if (made.length > 0) await writePrivately(file, JSON.stringify(kept, null, 2));
  const secrets = { ...kept } as Secrets;
  for (const name of Object.keys(SECRETS) as (keyof Secrets)[])
    secrets[name] = process.env[name] || secrets[name];
  const note = made.length > 0 ? `Made ${file} (mode 0600): ${made.join(", ")}.` : "";
  return { secrets, note };
}

async function writePrivately(file: string, text: string) {
  try {
    await ensureDirectory(dirname(file), 0o711);
    await writeFile(file, text, { mode: 0o600 });
  } catch (error) {
    throw new Failure(`cannot write ${file}: ${reasonOf(error)}.`);
  }
}

const VARIABLES = { dashboard: "DATABASE_URL", service: "SERVICE_DATABASE_URL" } as const;
type DatabaseName = keyof typeof VARIABLES;

export interface Databases {
  /** The address of each database, as the program's variable takes it. */
  urls: Record<DatabaseName, string>;
  /** The embedded server, or null when the environment names every database that is needed. */
  server: PostgresServer | null;
}

/** The addresses of the environment; for those that are needed and not given, the embedded server. */
export async function openDatabases(
  dataDirectory: string,
  needed: readonly DatabaseName[] = ["dashboard", "service"],
): Promise<Databases> {
  const given = (name: DatabaseName) => process.env[VARIABLES[name]] || null;
  const missing = needed.filter((name) => given(name) === null);
  const server = missing.length > 0 ? await startPostgres(dataDirectory) : null;
  try {
    for (const name of missing) await server?.ensureDatabase(name);
  } catch (error) {
    await server?.close();
    throw new Failure(`the database cannot be used: ${reasonOf(error)}.`);
  }
  const url = (name: DatabaseName) => given(name) ?? server?.url(name) ?? "";
  return { urls: { dashboard: url("dashboard"), service: url("service") }, server };
}
