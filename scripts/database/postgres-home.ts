import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { chmod, chown, readFile, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDirectory, writeWhole } from "../process/files.ts";
import { CommandFailure, reasonOf } from "../process/command.ts";
import { canReach, SYSTEM_HOME, type SystemUser } from "./postgres-binaries.ts";

export const SUPERUSER = "duebook";

/** User and group ids of the child process, for spawn. */
export const identity = (user: SystemUser | null) =>
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
    throw new CommandFailure(`cannot keep data in ${dataDirectory}: ${reasonOf(error)}.`);
  }
}

async function ownFolder(path: string, user: SystemUser | null) {
  await ensureDirectory(path, 0o700);
  await chmod(path, 0o700);
  if (user) await chown(path, user.uid, user.gid);
}

export async function shortFolder(user: SystemUser | null): Promise<string> {
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
    await writeWhole(file, made);
    if (user) await chown(file, user.uid, user.gid);
    return made;
  } catch (error) {
    throw new CommandFailure(`cannot keep data in ${home}: ${reasonOf(error)}.`);
  }
}

interface Cluster {
  binaries: string;
  home: string;
  user: SystemUser | null;
  durable: boolean;
}

/** The first error that a PostgreSQL program printed; later ones usually follow from it. */
export function complaintIn(text: string): string {
  const lines = text.trim().split("\n");
  const at = lines.findIndex((line) => /FATAL|PANIC|ERROR|error:|error while/.test(line));
  const told =
    lines.at(at)?.replace(/^.*?(FATAL|PANIC|ERROR|error):\s*/, "") || "it said nothing";
  const hint = /HINT:\s*(.*?)\.?$/.exec(lines[at + 1] ?? "")?.[1];
  return hint ? `${told} (${hint})` : told;
}

/** initdb runs in a temporary folder that is renamed when complete: a killed run leaves nothing broken. */
export async function ensureCluster({ binaries, home, user, durable }: Cluster) {
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
    { cwd: home, encoding: "utf8", ...identity(user) },
  );
  if (made.status !== 0) {
    await rm(half, { recursive: true, force: true });
    const said = made.error ? reasonOf(made.error) : complaintIn(made.stderr);
    throw new CommandFailure(`the database could not be created in ${home}: ${said}`);
  }
  await rename(half, cluster);
}
