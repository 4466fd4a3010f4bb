import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pg from "pg";
import * as z from "zod";
import { ensureDirectory, writeFileAtomically } from "./files.ts";
import { CommandFailure, systemReasonOf } from "./command.ts";
import {
  openDatabases,
  readSettings,
  VARIABLES,
  type DatabaseName,
  type Databases,
  type Settings,
} from "./settings.ts";

/** Tables of the dashboard with encrypted values; each row stores the id of its key. */
export const SEALED_TABLES = [
  "billing_connection",
  "second_factor",
  "receiver_secret",
  "billing_account",
  "message_account",
] as const;

/** Each secret: its purpose, the database of its program, and the tables that it seals. */
const SECRETS = {
  NEXTAUTH_SECRET: { does: "signs the sessions", program: "dashboard", seals: [] },
  API_KEY_ENCRYPTION_KEY: {
    does: "encrypts the sellers' API keys",
    program: "dashboard",
    seals: SEALED_TABLES,
  },
  WEB_PUSH_KEY: { does: "signs pushes to browsers", program: "dashboard", seals: [] },
  SERVICE_SECRETS_KEY: {
    does: "encrypts the webhooks' signing secrets",
    program: "service",
    seals: ["webhook"],
  },
  SERVICE_ACCOUNTS_TOKEN: {
    does: "lets the dashboard open accounts at the billing service",
    program: "service",
    seals: [],
  },
} as const;
type Name = keyof typeof SECRETS;
const NAMES = Object.keys(SECRETS) as Name[];

type Secrets = Partial<Record<Name, string>>;

/** The file of the generated secrets. */
export const secretsFile = (dataDirectory: string) => join(dataDirectory, "secrets.json");

const Kept = z.partialRecord(z.enum(NAMES), z.string());

function readKept(file: string): Secrets {
  if (!existsSync(file)) return {};
  try {
    return Kept.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    // The parser's message would quote a part of the file.
    const isRead = error instanceof SyntaxError || error instanceof z.ZodError;
    throw new CommandFailure(
      isRead
        ? `${file} is damaged. Restore your copy of it: without it, stored secrets cannot be decrypted.`
        : `cannot read ${file}: ${systemReasonOf(error)}.`,
    );
  }
}

/** Secrets of the environment and of the file; missing ones are not generated. */
export function readSecrets(dataDirectory: string): Secrets {
  const kept = readKept(secretsFile(dataDirectory));
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = process.env[name] || kept[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/**
 * Secrets of the environment; missing ones that the programs of these databases need are generated once
 * and stored under the data directory.
 * @throws CommandFailure when a new secret could not open rows that an earlier one sealed
 */
export async function ensureSecrets(
  dataDirectory: string,
  { urls }: Pick<Databases, "urls">,
): Promise<{ secrets: Record<string, string>; note: string }> {
  const file = secretsFile(dataDirectory);
  const secrets = readSecrets(dataDirectory);
  const missing = NAMES.filter((name) => !secrets[name] && urls[SECRETS[name].program] !== "");
  if (missing.length === 0) return { secrets, note: "" };
  for (const name of missing) await requireNothingSealed(name, urls, file);
  const kept = readKept(file);
  for (const name of missing) kept[name] = randomBytes(32).toString("base64");
  try {
    await ensureDirectory(dirname(file), 0o711);
    await writeFileAtomically(file, JSON.stringify(kept, null, 2));
  } catch (error) {
    throw new CommandFailure(`cannot write ${file}: ${systemReasonOf(error)}.`);
  }
  const made = missing.map((name) => `${name} ${SECRETS[name].does}`).join(", ");
  return {
    secrets: readSecrets(dataDirectory),
    note: `Generated ${file} (mode 0600): ${made}.`,
  };
}

interface Installation {
  settings: Settings;
  databases: Databases;
  secrets: Record<string, string>;
  /** The text that says which secrets were generated; empty if none. */
  note: string;
}

/**
 * Calls `work` with these databases and the secrets of their programs, then closes a server that it
 * started.
 */
export async function withInstallation(
  needed: readonly DatabaseName[],
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  const settings = readSettings();
  const databases = await openDatabases(settings.dataDirectory, needed);
  try {
    const ensured = await ensureSecrets(settings.dataDirectory, databases);
    await work({ settings, databases, ...ensured });
  } finally {
    await databases.server?.close();
  }
}

const isMissingDatabase = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === "3D000";

async function requireNothingSealed(name: Name, urls: Databases["urls"], file: string) {
  const { program, seals } = SECRETS[name];
  if (seals.length === 0) return;
  const client = new pg.Client({
    connectionString: urls[program],
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    for (const table of seals) {
      const { rows } = await client.query<{ is_there: boolean }>(
        "select to_regclass($1) is not null as is_there",
        [table],
      );
      if (!rows[0]?.is_there) continue;
      const { rowCount } = await client.query(`select from ${table} limit 1`);
      if (rowCount === 1)
        throw new CommandFailure(
          `${name} is neither set nor in ${file}, but the ${program}'s database holds data encrypted with it. Restore your copy of the file. If it is lost, set ${name} to a new one (openssl rand -base64 32); what was encrypted must then be entered again.`,
        );
    }
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    // The embedded server creates a program's database at its first start.
    if (isMissingDatabase(error) && !process.env[VARIABLES[program]]) return;
    throw new CommandFailure(
      `the database of ${VARIABLES[program]} cannot be used: ${systemReasonOf(error)}. Duebook generates no secret until it can check whether that database holds encrypted data.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}
