import { randomBytes, randomUUID } from "node:crypto";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { encryptionKeyIdOf, sealApiKey } from "#lib/crypto/api-key.ts";
import { createSelfSignedCertificate } from "../service/testing/self-signed.ts";
import { useTestService } from "../service/testing/use-service.ts";
import { pool, database, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createTestDatabase } from "#tools/testing/database.ts";
import { lookWithDoctor, runDoctor } from "#tools/testing/run-doctor.ts";

useDashboardDatabase();
const service = useTestService();

const KEY = randomBytes(32);
const OTHER = randomBytes(32);
const servers: Server[] = [];
let folder: string;
let api: string;
let dashboard: string;

beforeAll(async () => {
  api = await service.app.listen({ port: 0, host: "127.0.0.1" });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "duebook-doctor-"));
  dashboard = await listen((_request, response) => response.end("{}"));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(folder, { recursive: true, force: true });
  await pool.query("truncate seller cascade");
});

async function listen(answer: RequestListener, tls?: { key: string; cert: string }) {
  const server = tls ? createTlsServer(tls, answer) : createServer(answer);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const variables = (changes: Record<string, string> = {}) => ({
  DATA_DIR: folder,
  DATABASE_URL: database.url,
  NEXTAUTH_SECRET: randomBytes(32).toString("base64"),
  NEXTAUTH_URL: dashboard,
  API_KEY_ENCRYPTION_KEY: KEY.toString("base64"),
  BILLING_SANDBOX_API_URL: api,
  ...changes,
});

const look = (changes: Record<string, string> = {}) => lookWithDoctor(variables(changes));

async function connect(apiKey: string, sealedBy = KEY) {
  const seller_id = randomUUID();
  await pool.query("insert into seller (id, name, time_zone) values ($1, 'Phewa', 'UTC')", [
    seller_id,
  ]);
  await pool.query(
    `insert into billing_connection (seller_id, mode, sealed_key, key_id, last4)
     values ($1, 'test', $2, $3, '0000')`,
    [
      seller_id,
      sealApiKey(apiKey, { seller_id, mode: "test" }, sealedBy),
      encryptionKeyIdOf(sealedBy),
    ],
  );
  return seller_id;
}

test("the doctor reports no failure for a correct installation, and prints no key", async () => {
  const { key } = await service.createSeller();
  await connect(key);
  const { ok, under, output } = await look();
  expect(under("Connections", "ok")).toContain("1 connected key: accepted by the API.");
  expect(under("Connections", "note")).toContain(
    "1 connection without webhooks to this installation",
  );
  expect(under("Billing API", "ok")).toMatch(/test mode answers in \d+ ms/);
  expect(under("Database", "ok")).toMatch(/dashboard's database commits in \d+ ms/);
  expect(under("Cluster", "note")).toContain("No Patroni is configured here");
  expect(under("Clocks")).toContain("The clocks here and at the dashboard's database agree.");
  expect(under("Encryption", "ok")).toContain("decrypts every stored API key (1)");
  expect(under("Database")).toMatch(/PostgreSQL \d+, in UTC[^]*up to date \(\d+ migrations\)/);
  expect(ok).toBe(true);
  expect(output).not.toContain(key);
});

test("the doctor says how many keys it did not try if there are more than 100", async () => {
  await Promise.all(Array.from({ length: 101 }, () => connect("key")));
  const { under } = await look();
  expect(under("Connections", "note")).toContain("1 further key was not tried");
});

test("the doctor names every invalid setting at once, and a misspelled setting name", async () => {
  const { under, output } = await look({
    NEXTAUTH_SECRET: "short",
    API_KEY_ENCRYPTION_KEY: "c2hvcnQ=",
    SMTP_URL: "smtp://mail.example",
    MIRROR_WROKER: "here",
  });
  const words = under("Configuration", "failure");
  expect(words).toContain("NEXTAUTH_SECRET must have at least 16 characters");
  expect(words).toContain("API_KEY_ENCRYPTION_KEY must be 32 bytes in base64");
  expect(words).toContain("MAIL_FROM is not set, but belongs with SMTP_URL");
  expect(under("Configuration", "warning")).toContain(
    "MIRROR_WROKER is set, but no program reads",
  );
  expect(output).not.toContain("c2hvcnQ");
});

test("the doctor reports an identity provider whose metadata names another issuer", async () => {
  let issuer = "";
  const provider: string = await listen((_request, response) =>
    response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${provider}/authorize`,
        token_endpoint: `${provider}/token`,
        jwks_uri: `${provider}/keys`,
      }),
    ),
  );
  const client = { OIDC_CLIENT_ID: "duebook", OIDC_CLIENT_SECRET: "client-secret" };
  issuer = "https://elsewhere.example";
  const lying = await look({ OIDC_ISSUER: provider, ...client });
  expect(lying.under("Sign-in provider", "failure")).toContain("name another issuer");
  issuer = provider;
  const honest = await look({ OIDC_ISSUER: provider, ...client });
  expect(honest.under("Sign-in provider", "ok")).toContain("issuer is that of OIDC_ISSUER");
  expect(lying.output + honest.output).not.toContain(client.OIDC_CLIENT_SECRET);
});

test("the doctor reports invalid ports and proxies together", async () => {
  const { under } = await look({ PORT: "http", SERVICE_PORT: "0", TRUSTED_PROXIES: "yes" });
  for (const name of ["PORT is 'http'", "SERVICE_PORT is '0'", "TRUSTED_PROXIES is not"])
    expect(under("Configuration", "failure")).toContain(name);
});

test("the doctor says that an installation was never started, and creates no files", async () => {
  const { under } = await look({ DATABASE_URL: "" });
  expect(under("Configuration", "failure")).toContain("Nothing is set up here yet");
  expect(await readdir(folder)).toEqual([]);
});

test("the doctor reports settings that are unsafe on an installation that others can reach", async () => {
  const file = join(folder, "secrets.json");
  await writeFile(file, "{}");
  await chmod(file, 0o644);
  const { under } = await look({ NEXTAUTH_URL: "http://desk.example" });
  expect(under("Configuration", "warning")).toContain("without TLS");
  expect(under("Configuration", "warning")).toContain("knows the demonstration's password");
  expect(under("Configuration", "failure")).toContain("can be read by other users");
  expect(under("Public address", "failure")).toContain("does not answer at its public address");
});

test("the doctor reports a database that cannot be reached, or whose tables are too old or too new", async () => {
  const silent = await look({ DATABASE_URL: "postgresql://127.0.0.1:1/duebook" });
  expect(silent.under("Database", "failure")).toContain("nothing answers there");
  const empty = await createTestDatabase("empty");
  try {
    const { under } = await look({ DATABASE_URL: empty.url });
    expect(under("Database", "failure")).toMatch(/not up to date: \d+ migrations of/);
  } finally {
    await empty.drop();
  }
  await pool.query("insert into schema_migration (name) values ('9999_tomorrow.sql')");
  const newer = await look();
  await pool.query("delete from schema_migration where name = '9999_tomorrow.sql'");
  expect(newer.under("Database", "failure")).toContain("of a newer Duebook: 1 migration");
});

test.each([
  ["nothing listens there", "http://127.0.0.1:65533"],
  ["there is no host of that name", "http://nowhere.invalid"],
])("the doctor reports an API that cannot be reached (%s)", async (words, url) => {
  const { under } = await look({ BILLING_SANDBOX_API_URL: url });
  expect(under("Billing API", "failure")).toContain(words);
});

test.each([
  [404, "is no billing API"],
  [301, "redirects"],
  [200, "without asking for a key"],
  [503, "reports an error"],
])(
  "the doctor reports a URL that answers with status %i as no working API",
  async (status, words) => {
    const url = await listen((_request, response) =>
      response.writeHead(status, { location: "/" }).end(),
    );
    const { under } = await look({ BILLING_API_URL: url });
    expect(under("Billing API", "failure")).toContain(words);
  },
);

test("the doctor reports an untrusted certificate and a clock that is one hour wrong", async () => {
  const tls = createSelfSignedCertificate("127.0.0.1");
  const url = await listen((_request, response) => response.writeHead(401).end(), tls);
  const late = await listen((_request, response) =>
    response.writeHead(401, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end(),
  );
  const { under } = await look({ BILLING_API_URL: url, BILLING_SANDBOX_API_URL: late });
  expect(under("Billing API", "failure")).toContain("a certificate that is not trusted");
  expect(under("Clocks", "failure")).toMatch(/test mode is 3[56]\d\d seconds behind/);
});

test("the doctor reports that the clock of a database is ahead", async () => {
  const ahead = await createTestDatabase("dashboard");
  const name = new URL(ahead.url).pathname.slice(1);
  await pool.query(`alter database ${name} set search_path = odd, public, pg_catalog`);
  const { Client } = await import("pg").then((module) => module.default);
  const client = new Client({ connectionString: ahead.url });
  await client.connect();
  await client.query("create schema odd");
  await client.query(
    `create function odd.clock_timestamp() returns timestamptz language sql
     as $$ select pg_catalog.clock_timestamp() + interval '30 seconds' $$`,
  );
  await client.end();
  const { under } = await look({ DATABASE_URL: ahead.url });
  await ahead.drop();
  expect(under("Clocks", "warning")).toMatch(/dashboard's database is (29|30) seconds ahead/);
});

test("the doctor reports API keys that cannot be decrypted, need rotation, or are refused", async () => {
  await connect("sk lost", randomBytes(32));
  await connect((await service.createSeller()).key, OTHER);
  await connect(`dbk_test_${"0".repeat(12)}_${"x".repeat(43)}`);
  await connect((await service.createSeller({ kyc_verified: false })).key);
  const { under } = await look({ API_KEY_ENCRYPTION_KEY_OLD: OTHER.toString("base64") });
  expect(under("Encryption", "failure")).toContain("1 stored API key cannot be decrypted");
  expect(under("Encryption", "failure")).toContain("encrypted with a key that is not set");
  expect(under("Encryption", "warning")).toContain("half done: 1 secret still");
  expect(under("Connections", "warning")).toContain("1 connected key: refused by the API.");
  expect(under("Connections", "warning")).toContain("that the API has not verified");
  expect(under("Connections", "ok")).toContain("1 connected key: accepted");
});

test("the doctor reports search indexes that are overdue or cannot be updated", async () => {
  const seller_id = await connect((await service.createSeller()).key);
  await pool.query(
    `insert into mirror (seller_id, mode, due_at, error) values ($1, 'test', now() - interval '1 hour', 'unavailable')
     on conflict (seller_id, mode) do update set due_at = excluded.due_at, error = excluded.error`,
    [seller_id],
  );
  const { under } = await look();
  expect(under("Jobs", "failure")).toContain("No worker updates the search indexes: 1 index");
  expect(under("Jobs", "warning")).toContain("1 search index cannot be updated");
});

test("the doctor reports a mail server that cannot be reached", async () => {
  const mail = { SMTP_URL: "smtp://user:hidden@127.0.0.1:1", MAIL_FROM: "desk@phewa.example" };
  const { under, output } = await look(mail);
  expect(under("Mail", "failure")).toContain("does not accept the account (ESOCKET)");
  expect(output).not.toContain("hidden");
});

test("the doctor reports a service without a worker, overdue deliveries and secrets that cannot be decrypted", async () => {
  const seller = await service.createSeller();
  await service.pool.query(
    `insert into webhook (seller_id, event, endpoint_url, sealed_secret, created_at, failing_since)
     values ($1, 'checkout.succeeded', 'http://127.0.0.1:1/', '\\x00', now(), now())`,
    [seller.seller_id],
  );
  const { hostname, port } = new URL(api);
  const { under } = await look({
    BILLING_SANDBOX_API_URL: "",
    SERVICE_DATABASE_URL: service.pool.options.connectionString ?? "",
    SERVICE_HOST: hostname,
    SERVICE_PORT: port,
    SERVICE_SECRETS_KEY: OTHER.toString("base64"),
  });
  expect(under("Jobs", "failure")).toContain("No worker of the billing service is running");
  expect(under("Jobs", "warning")).toContain("every delivery fails");
  expect(under("Encryption", "failure")).toContain("SERVICE_SECRETS_KEY does not decrypt");
  expect(under("Billing API", "ok")).toContain("answers");
});

test("the doctor prints a failure with a sign and advice but no colours, and a wrong option as one line", async () => {
  const { code, output } = await runDoctor(
    variables({ BILLING_SANDBOX_API_URL: "http://127.0.0.1:65533" }),
  );
  expect(code).toBe(1);
  expect(output).toMatch(/ {2}✗ FAILURE {2}The billing API of test mode[^]*\n {13}→ Start it/);
  expect(output).toMatch(/\n1 failure, \d warnings?\.\n$/);
  const wrong = await runDoctor(variables(), "--jsn");
  expect(wrong).toEqual({
    code: 1,
    output: "duebook: Unknown option '--jsn'. --help lists them.\n",
  });
});
