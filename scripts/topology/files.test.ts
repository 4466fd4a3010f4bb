import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "../settings.ts";
import { initStatements } from "./postgres.ts";
import { writeNginx, writePooler } from "./proxies.ts";

const passwords = { dashboard: "of the desk", service: "it's", replica: "third" };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "duebook-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("PostgreSQL is prepared by the statements that the image runs", () => {
  const script = readFileSync(join(ROOT, "deploy/postgres-init.sh"), "utf8");
  const statements = initStatements(script, passwords);
  expect(statements).toContain("create role service login password 'it''s'");
  expect(statements).toContain("create database dashboard owner dashboard");
  expect(statements.filter((one) => /:'|^--|^$/.test(one))).toEqual([]);
});

test("nginx gets the same file, with every name in it filled in", () => {
  const [desk, api, plain, inside, pooler] = [1, 2, 3, 4, 5] as const;
  const services = [8, 9];
  const file = writeNginx(folder, {
    desk,
    api,
    plain,
    inside,
    pooler,
    dashboards: [6, 7],
    services,
  });
  const text = readFileSync(file, "utf8");
  expect(text).toContain("proxy_next_upstream error timeout;");
  expect(text.match(/^ {2}keepalive_timeout 500ms;$/gm)).toHaveLength(2);
  expect(text).toMatch(/upstream services {\s+server 127.0.0.1:8 .*server 127.0.0.1:9 /);
  expect(text).not.toMatch(/\$\{|\/dev\/stdout|listen 8090/);
});

test("PgBouncer keeps to its file, and hands out by session where it is too old", () => {
  const pooling = { port: 6, socket: "/run/here", passwords, user: null };
  const read = (byTransaction: boolean) =>
    readFileSync(writePooler(folder, { ...pooling, byTransaction }), "utf8");
  expect(read(true)).toMatch(/host=\/run\/here[\s\S]*pool_mode = transaction\nmax_prepared/);
  expect(read(true)).not.toMatch(/\/run\/secrets|listen_addr = \*/);
  expect(read(false)).toMatch(/pool_mode = session/);
  expect(read(false)).not.toMatch(/max_prepared|transaction$/m);
});

/** What stands in compose.yaml from a name on, as far as it is indented deeper. */
const part = (name: string) =>
  new RegExp(`^((?: {2})?)${name}:.*\n(?:\\1 +.*\n)*`, "m").exec(
    readFileSync(join(ROOT, "compose.yaml"), "utf8"),
  )?.[0] ?? "";

test("the replica has the primary's settings, or it refuses to follow", () => {
  expect(part("x-postgres")).toContain("max_connections=");
  for (const name of ["postgres", "replica"])
    expect(part(name)).toContain("command: *postgres\n");
  expect(readFileSync(join(ROOT, "deploy/replica.sh"), "utf8")).toContain('exec postgres "$@"');
});

test("the dashboard may run what it unpacks at its start, and PostgreSQL orders as it does elsewhere", () => {
  expect(part("x-dashboard")).toMatch(/tmpfs: .*"\/home\/node\/\.cache:uid=1000,.*exec"/);
  expect(part("postgres")).toContain("--locale-provider=builtin --builtin-locale=C.UTF-8");
});
