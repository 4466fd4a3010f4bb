import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandFailure } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";
import type { RolePasswords } from "./postgres.ts";

/** The first version of PgBouncer with prepared statements in transaction pooling. */
const KEEPS_STATEMENTS = [1, 21] as const;

export interface ProxyTools {
  /** Whether PgBouncer supports prepared statements in transaction pooling. */
  byTransaction: boolean;
  versions: string;
}

/** @throws CommandFailure that names the missing tools */
export function requireTools(): ProxyTools {
  if (process.platform !== "linux")
    throw new CommandFailure("this runs on Linux only; elsewhere use compose.yaml.");
  const nginx = versionOf("nginx", ["-v"]);
  const pgbouncer = versionOf("pgbouncer", ["--version"]);
  const lacking = [
    ...(nginx ? [] : ["nginx"]),
    ...(pgbouncer ? [] : ["pgbouncer"]),
    ...(versionOf("setpriv", ["--version"]) ? [] : ["setpriv (util-linux)"]),
  ];
  if (!nginx || !pgbouncer || lacking.length > 0)
    throw new CommandFailure(
      `${lacking.join(" and ")} cannot be found. On Debian: apt-get install nginx pgbouncer`,
    );
  const [major = 0, minor = 0] = pgbouncer.split(".").map(Number);
  const [least, leastMinor] = KEEPS_STATEMENTS;
  return {
    byTransaction: major > least || (major === least && minor >= leastMinor),
    versions: `nginx ${nginx}, PgBouncer ${pgbouncer}`,
  };
}

function versionOf(program: string, arguments_: string[]): string | null {
  const { status, stdout, stderr } = spawnSync(program, arguments_, { encoding: "utf8" });
  const [version] = /\d+\.\d+(\.\d+)?/.exec(stdout + stderr) ?? [];
  return status === 0 ? (version ?? null) : null;
}

export interface ProxyPorts {
  desk: number;
  api: number;
  plain: number;
  inside: number;
  pooler: number;
  dashboards: number[];
  services: number[];
}

/**
 * Fills in deploy/nginx.conf and deploy/nginx-inside.conf as compose.yaml does.
 * @returns the file
 */
export function writeNginx(folder: string, ports: ProxyPorts): string {
  const place = join(folder, "nginx");
  mkdirSync(place, { recursive: true, mode: 0o755 });
  const upstreams = (all: number[]) =>
    all.map((port) => `server 127.0.0.1:${port} max_fails=3 fail_timeout=2s;`).join(" ");
  const values: Record<string, string> = {
    PLAIN_LISTEN: `127.0.0.1:${ports.plain}`,
    DESK_LISTEN: `127.0.0.1:${ports.desk}`,
    API_LISTEN: `127.0.0.1:${ports.api}`,
    DESK_NAME: "desk.localhost",
    API_NAME: "billing.localhost",
    DASHBOARDS: upstreams(ports.dashboards),
    SERVICES: upstreams(ports.services),
    TLS: "",
    ACCESS_LOG: join(place, "access.log"),
  };
  const given = readFileSync(join(ROOT, "deploy/nginx.conf"), "utf8").replaceAll(
    /\$\{([A-Z_]+)\}/g,
    (_all, name: string) => values[name] ?? "",
  );
  const inside = readFileSync(join(ROOT, "deploy/nginx-inside.conf"), "utf8").replace(
    "listen 8090",
    `listen 127.0.0.1:${ports.inside}`,
  );
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(place, name)};`)
    .join("\n  ");
  const file = join(place, "nginx.conf");
  writeFileSync(
    file,
    `daemon off;
${process.getuid?.() === 0 ? "user root;" : ""}
worker_processes 2;
pid ${join(place, "nginx.pid")};
error_log ${join(place, "error.log")} warn;
events { worker_connections 4096; }
http {
  ${temporary}
  access_log off;
  # Who answered, for whoever checks whether a stream came back at another one.
  add_header x-upstream $upstream_addr always;
${given}
${inside}
}
`,
  );
  return file;
}

interface Pooling {
  port: number;
  /** The folder of PostgreSQL's socket. */
  socket: string;
  passwords: RolePasswords;
  byTransaction: boolean;
  user: { uid: number; gid: number } | null;
}

/** Fills in deploy/pgbouncer.ini for this machine. @returns the file */
export function writePooler(folder: string, pooling: Pooling): string {
  const { port, socket, passwords, byTransaction, user } = pooling;
  const place = join(folder, "pgbouncer");
  mkdirSync(place, { recursive: true, mode: 0o755 });
  const users = join(place, "users");
  writeFileSync(
    users,
    `"dashboard" "${passwords.dashboard}"\n"service" "${passwords.service}"\n`,
    { mode: 0o600 },
  );
  const given = readFileSync(join(ROOT, "deploy/pgbouncer.ini"), "utf8")
    .replace("host=postgres port=5432", `host=${socket} port=5432`)
    .replace("/run/secrets/pgbouncer_users", users)
    .replace("listen_addr = *", "listen_addr = 127.0.0.1")
    .replace("listen_port = 6432", `listen_port = ${port}\nstats_users = service`);
  const file = join(place, "pgbouncer.ini");
  writeFileSync(file, byTransaction ? given : bySession(given));
  if (user) for (const path of [place, users, file]) chownSync(path, user.uid, user.gid);
  return file;
}

/**
 * Changes the setting to session pooling: an older PgBouncer mixes up the prepared statements of
 * its clients.
 */
const bySession = (given: string) =>
  given
    .replace("pool_mode = transaction", "pool_mode = session\nserver_reset_query = DISCARD ALL")
    .replace(/^max_prepared_statements.*\n/m, "")
    .replace("default_pool_size = 40", "default_pool_size = 80");
