import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_DOCUMENT_BYTES, MAX_IMAGE_BYTES } from "#contract/names.ts";
import { ENV_NAMES } from "#lib/env.ts";
import { MAX_IMPORT_BYTES } from "#lib/imports/rules.ts";
import { MAX_STATEMENT_BYTES } from "#lib/payments/portal/queries.ts";
import { MAX_SHEET_BYTES } from "#lib/products/sheet/columns.ts";
import { CONFIG_NAMES } from "../../../service/config.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { initStatements } from "./postgres.ts";
import { writeNginx, writePooler } from "./proxies.ts";

const passwords = {
  dashboard: "of the desk",
  dashboard_owner: "of its tables",
  service: "it's",
  service_owner: "of theirs",
  replica: "third",
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "duebook-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the trial sets up PostgreSQL with the statements that the image runs", () => {
  const script = readFileSync(join(ROOT, "deploy/postgres-init.sh"), "utf8");
  const statements = initStatements(script, passwords);
  expect(statements).toContain("create role service login password 'it''s'");
  expect(statements).toContain("create database dashboard owner dashboard_owner");
  expect(statements.filter((one) => /:'|^--|^$/.test(one))).toEqual([]);
});

test("nginx gets the deployed configuration file with every variable filled in", () => {
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

/** The largest body in bytes that a server of nginx takes at a path. */
function largestBody(file: string, server: string, path: string): number {
  const servers = readFileSync(join(ROOT, "deploy", file), "utf8").split(/^server \{/m);
  const text = servers.find((each) => each.includes(`listen ${server};`)) ?? "";
  const places = [...text.matchAll(/location ~ (\S+) \{([^}]*)\}/g)];
  const place = places.find(([, pattern = ""]) => new RegExp(pattern).test(path))?.[2] ?? "";
  const size = /client_max_body_size (\d+)(k|m);/;
  const [, number, unit] = size.exec(place) ?? size.exec(text) ?? [null, "1", "m"];
  return Number(number) * (unit === "m" ? 1024 * 1024 : 1024);
}

const inBase64 = (bytes: number) => Math.ceil((bytes * 4) / 3) + 10_000;

test.each([
  ["images", MAX_IMAGE_BYTES],
  ["verification/documents", MAX_DOCUMENT_BYTES],
  ["subscriptions/import", MAX_IMPORT_BYTES],
  ["subscriptions/1f/by-hand", inBase64(MAX_DOCUMENT_BYTES)],
  ["products/import", MAX_SHEET_BYTES],
  ["payments/portal", MAX_STATEMENT_BYTES],
])("nginx accepts the dashboard's largest upload to %s", (path, bytes) => {
  const largest = largestBody("nginx.conf", "${DESK_LISTEN}", `/api/shop/live/${path}`);
  expect(largest).toBeGreaterThanOrEqual(bytes);
});

test.each([
  ["images", inBase64(MAX_IMAGE_BYTES)],
  ["verification/documents", inBase64(MAX_DOCUMENT_BYTES)],
  ["subscriptions/1f/payments", inBase64(MAX_DOCUMENT_BYTES)],
  ["payment-accounts/esewa/statement", 1024 * 1024],
])("nginx accepts the service's largest upload to %s", (name, bytes) => {
  const path = `/account/v1/${name}/`;
  expect(largestBody("nginx.conf", "${API_LISTEN}", path)).toBeGreaterThanOrEqual(bytes);
  expect(largestBody("nginx-inside.conf", "8090", path)).toBeGreaterThanOrEqual(bytes);
});

test("PgBouncer gets the deployed file, or pools by session if its version is too old", () => {
  const pooling = { port: 6, socket: "/run/here", passwords, user: null };
  const read = (byTransaction: boolean) =>
    readFileSync(writePooler(folder, { ...pooling, byTransaction }), "utf8");
  expect(read(true)).toMatch(/host=\/run\/here[\s\S]*pool_mode = transaction\nmax_prepared/);
  expect(read(true)).not.toMatch(/\/run\/secrets|listen_addr = \*/);
  expect(read(false)).toMatch(/pool_mode = session/);
  expect(read(false)).not.toMatch(/max_prepared|transaction$/m);
});

const compose = readFileSync(join(ROOT, "compose.yaml"), "utf8");

/** The section of compose.yaml below a key. */
const part = (name: string) =>
  new RegExp(`^((?: {2})?)${name}:.*\n(?:\\1 +.*\n)*`, "m").exec(compose)?.[0] ?? "";

test("the replica has those settings of the primary without which it refuses to start", () => {
  expect(part("x-postgres")).toContain("max_connections=");
  for (const name of ["postgres", "replica"])
    expect(part(name)).toContain("command: *postgres\n");
  expect(readFileSync(join(ROOT, "deploy/replica.sh"), "utf8")).toContain('exec postgres "$@"');
});

test("the dashboard may execute libraries unpacked at its start, and PostgreSQL has the same sort order everywhere", () => {
  expect(part("x-dashboard")).toMatch(/tmpfs: .*"\/home\/node\/\.cache:uid=1000,.*exec"/);
  expect(part("postgres")).toContain("--locale-provider=builtin --builtin-locale=C.UTF-8");
});

test("the log of every container has a size limit", () => {
  const [, services = ""] = /^services:\n([^]*?)^volumes:/m.exec(compose) ?? [];
  const names = Array.from(services.matchAll(/^ {2}([\w-]+):/gm), ([, name = ""]) => name);
  expect(names).toContain("pgbouncer");
  expect(part("x-logging")).toMatch(/max-size: \d+m, max-file: "\d"/);
  expect(part("x-program")).toContain("logging: *logging\n");
  const inherits = /(:|<<:) \*(program|dashboard|service)\n/;
  expect(
    names.filter((name) => !inherits.test(part(name)) && !part(name).includes("*logging")),
  ).toEqual([]);
});

/** The environment that compose.yaml gives to every container of a program, by variable. */
const givenTo = (name: string) =>
  new Map(
    Array.from(
      part(name).matchAll(/^ {4}([A-Z][A-Z0-9_]*?)(?:_FILE)?: (.*)$/gm),
      ([, variable = "", says = ""]) => [variable, says],
    ),
  );

/** Variables that do not apply to containers, such as the account of the demonstration. */
const ON_ONE_MACHINE =
  /^(HOST|SERVICE_PORT|SERVICE_HOST|BILLING_(SANDBOX_)?API_KEY|DEMO_\w+|DEMONSTRATION)$/;

test.each([
  ["x-dashboard", [...ENV_NAMES, "OTEL_EXPORTER_OTLP_ENDPOINT"]],
  ["x-service", [...CONFIG_NAMES, "OTEL_EXPORTER_OTLP_ENDPOINT"]],
])(
  "every setting of an operator reaches %s, and secrets are read from files",
  (program, names) => {
    const given = givenTo(program);
    expect(names.filter((name) => !ON_ONE_MACHINE.test(name) && !given.has(name))).toEqual([]);
    const secret = [...given].filter(([name]) =>
      /SECRET|KEY(_OLD)?$|TOKEN|SMTP_URL|DATABASE/.test(name),
    );
    expect(secret.filter(([, says]) => !says.startsWith("/run/secrets/"))).toEqual([]);
  },
);

test("every secret named in compose.yaml is generated before the first start, and existing secrets are kept", () => {
  const [bin, secrets] = [join(folder, "bin"), join(folder, "secrets")];
  mkdirSync(bin);
  const openssl = `#!/bin/sh
    for one; do case "$before" in -keyout|-out) echo made >"$one";; esac; before=$one; done
    echo made`;
  writeFileSync(join(bin, "openssl"), openssl, { mode: 0o755 });
  cpSync(join(ROOT, "deploy/make-secrets.sh"), join(folder, "make-secrets.sh"));
  const make = () =>
    spawnSync("sh", [join(folder, "make-secrets.sh")], {
      env: { NODE_ENV: "test", PATH: `${bin}:${process.env["PATH"]}` },
    }).status;
  expect(make()).toBe(0);
  const named = readFileSync(join(ROOT, "compose.yaml"), "utf8").matchAll(
    /file: deploy\/secrets\/(\w+)/g,
  );
  expect(new Set(readdirSync(secrets))).toEqual(new Set(Array.from(named, ([, name]) => name)));
  writeFileSync(join(secrets, "smtp_url"), "smtp://mail.example");
  expect(make()).toBe(0);
  expect(readFileSync(join(secrets, "smtp_url"), "utf8")).toBe("smtp://mail.example");
  expect(readFileSync(join(secrets, "oidc_client_secret"), "utf8")).toBe("");
});

test("a program in the image gets its secrets, and tracing only if an exporter is set", () => {
  const secret = join(folder, "secret");
  writeFileSync(secret, "smtps://desk:it's@mail.example");
  const given = (environment: Record<string, string>) =>
    spawnSync("sh", [join(ROOT, "deploy/with-secrets.sh"), "env"], {
      env: { NODE_ENV: "test", PATH: process.env["PATH"], ...environment },
      encoding: "utf8",
    }).stdout.split("\n");
  expect(given({ SMTP_URL_FILE: secret })).toContain("SMTP_URL=smtps://desk:it's@mail.example");
  const traced = (endpoint: string) =>
    given({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).find((line) =>
      line.startsWith("NODE_OPTIONS"),
    );
  expect(traced("")).toBeUndefined();
  expect(traced("http://traces.example")).toContain(
    `--import ${ROOT}/scripts/process/tracing.ts`,
  );
});
