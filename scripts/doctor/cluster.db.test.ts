import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { database, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createTestDatabase } from "#tools/testing/database.ts";
import { lookWithDoctor, runDoctor } from "#tools/testing/run-doctor.ts";
import { useTestService } from "../../service/testing/use-service.ts";

useDashboardDatabase();
const service = useTestService();

const secret = randomBytes(32).toString("base64");
const servers: Server[] = [];
let folder: string;
let servicePort: number;

beforeAll(async () => {
  servicePort = Number(new URL(await service.app.listen({ port: 0, host: "127.0.0.1" })).port);
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "duebook-cluster-"));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(folder, { recursive: true, force: true });
});

async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

interface Member {
  name: string;
  role: string;
  state: string;
  lag?: number;
}

const MEMBERS: Member[] = [
  { name: "machine-1", role: "leader", state: "running" },
  { name: "machine-2", role: "sync_standby", state: "running", lag: 0 },
  { name: "machine-3", role: "replica", state: "running", lag: 2_097_152 },
];

interface Machines {
  members: Member[];
  pause: boolean;
  /** The role that the Patroni of each machine reports; null if it does not answer. */
  roles: (string | null)[];
  healthyEtcds: number;
  /** The servers that HAProxy takes for the primary, and for the synchronous replica. */
  up: { primary: string[]; replica: string[] };
}

const SOUND: Machines = {
  members: MEMBERS,
  pause: false,
  roles: ["master", "replica", "replica"],
  healthyEtcds: 3,
  up: { primary: ["machine-1"], replica: ["machine-2"] },
};

/** HAProxy's table of statistics, shortened. */
const statistics = (up: Machines["up"]) =>
  [
    "# pxname,svname,qcur,status,last_chk,",
    ...(["primary", "replica"] as const).flatMap((proxy) => [
      `${proxy},FRONTEND,,OPEN,,`,
      ...MEMBERS.map(
        ({ name }) =>
          `${proxy},${name},0,${up[proxy].includes(name) ? "UP" : "DOWN"},"*, L7OK",`,
      ),
      `${proxy},BACKEND,0,UP,,`,
    ]),
    "",
  ].join("\n");

/** Starts stand-ins for Patroni, etcd and HAProxy. @returns settings with their addresses */
async function startMachines({ members, pause, roles, healthyEtcds, up }: Machines) {
  const patronis = await Promise.all(
    roles.map(async (role) => {
      if (role === null) return 65533;
      return listen((_request, response) => response.end(JSON.stringify({ role })));
    }),
  );
  const patroni = await listen((_request, response) =>
    response.end(
      JSON.stringify({
        members: members.map((member, index) => ({
          ...member,
          api_url: `http://127.0.0.1:${patronis[index]}/patroni`,
        })),
        pause,
      }),
    ),
  );
  const etcds = await Promise.all(
    MEMBERS.map((_, index) =>
      listen((_request, response) =>
        index < healthyEtcds
          ? response.end('{"health":"true"}')
          : response.writeHead(503).end('{"health":"false"}'),
      ),
    ),
  );
  const proxy = await listen((request, response) =>
    response.writeHead(request.url === "/;csv" ? 200 : 404).end(statistics(up)),
  );
  return {
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${patroni}`,
    PATRONI_ETCD_HOSTS: etcds.map((port) => `127.0.0.1:${port}`).join(),
    HAPROXY_STATUS_URL: `http://127.0.0.1:${proxy}`,
  };
}

const write = (name: string, settings: Record<string, string>) =>
  writeFile(
    join(folder, name),
    Object.entries(settings)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(""),
    { mode: 0o600 },
  );

interface Programs {
  dashboardUrl: string;
  /** The status with which the dashboard answers. */
  readiness: number;
}

/** Starts a stand-in for the dashboard, and writes the settings of both programs. */
async function writePrograms({
  dashboardUrl = database.url,
  readiness = 200,
}: Partial<Programs>) {
  const port = String(
    await listen((_request, response) => response.writeHead(readiness).end("{}")),
  );
  await write("dashboard.env", {
    PROGRAM: "scripts/dashboard.ts",
    HOST: "127.0.0.1",
    PORT: port,
    NEXTAUTH_URL: `http://127.0.0.1:${port}`,
    BILLING_SANDBOX_API_URL: `http://127.0.0.1:${servicePort}`,
    DATA_DIR: folder,
    TRUSTED_PROXIES: "1",
  });
  await write("dashboard.secrets.env", {
    DATABASE_URL: dashboardUrl,
    NEXTAUTH_SECRET: secret,
    API_KEY_ENCRYPTION_KEY: secret,
  });
  await write("service.env", { SERVICE_PORT: String(servicePort) });
  await write("service.secrets.env", {
    SERVICE_DATABASE_URL: service.pool.options.connectionString ?? "",
    SERVICE_SECRETS_KEY: secret,
  });
}

async function look(machines: Partial<Machines> = {}, programs: Partial<Programs> = {}) {
  await write("machine.env", await startMachines({ ...SOUND, ...machines }));
  await writePrograms(programs);
  return lookWithDoctor({}, "--settings", folder);
}

test("the doctor checks a whole cluster from one machine's settings, and prints no secret", async () => {
  const { under, output } = await look();
  const cluster = under("Cluster", "ok");
  expect(cluster).toContain("machine-1 leads a cluster of 3 machines.");
  expect(cluster).toContain("machine-2 confirms each commit.");
  expect(cluster).toContain("machine-3 follows, 2.0 MiB behind.");
  expect(cluster).toContain("The clocks here and at machine-3 agree.");
  expect(cluster).toContain("3 of 3 members of etcd are healthy.");
  expect(cluster).toContain("HAProxy sends the programs to machine-1.");
  expect(cluster).toContain("HAProxy sends reports and searches to machine-2.");
  expect(under("Programs", "ok")).toMatch(/dashboard is ready[^]*billing service is ready/);
  expect(under("Database", "ok")).toMatch(/service's database commits in \d+ ms/);
  for (const section of ["Cluster", "Programs", "Database"])
    expect(under(section, "failure")).toBe("");
  expect(under("Configuration", "warning")).not.toContain("npm run up");
  expect(output).not.toContain(secret);
});

test("the doctor reports a cluster without a leader, a confirming replica and an etcd quorum", async () => {
  const { ok, under } = await look({
    members: [
      { name: "machine-1", role: "replica", state: "start failed" },
      { name: "machine-3", role: "replica", state: "running", lag: 200 * 1_024 ** 2 },
    ],
    pause: true,
    roles: ["replica", "replica"],
    healthyEtcds: 1,
    up: { primary: [], replica: [] },
  });
  expect(ok).toBe(false);
  const failures = under("Cluster", "failure");
  expect(failures).toContain("No machine leads");
  expect(failures).toContain("No replica confirms commits");
  expect(failures).toContain("1 of 3 members of etcd are healthy, which is no quorum");
  expect(failures).toContain("HAProxy finds no primary");
  const warnings = under("Cluster", "warning");
  expect(warnings).toContain("machine-1 is not running: start failed.");
  expect(warnings).toContain("machine-3 is behind the primary by 200 MiB.");
  expect(warnings).toContain("The cluster knows 2 of three machines.");
  expect(warnings).toContain("Patroni is paused");
  expect(warnings).toContain("HAProxy finds no synchronous replica");
});

test("the doctor reports two machines that both call themselves the primary", async () => {
  const { under } = await look({
    roles: ["master", "master", "replica"],
    healthyEtcds: 2,
    up: { primary: ["machine-1", "machine-2"], replica: ["machine-2"] },
  });
  const failures = under("Cluster", "failure");
  expect(failures).toContain("machine-1 and machine-2 both call themselves the primary.");
  expect(failures).toContain("HAProxy takes machine-1 and machine-2 for the primary.");
  expect(under("Cluster", "warning")).toContain("2 of 3 members of etcd are healthy: after");
});

test("the doctor reports a leader and a replica that are listed but do not answer", async () => {
  const { under } = await look({ roles: ["replica", null, null] });
  expect(under("Cluster", "failure")).toContain("No machine leads");
  expect(under("Cluster", "failure")).toContain("No replica confirms commits");
  expect(under("Cluster", "warning")).toContain("Patroni of machine-2 does not answer");
  expect(under("Cluster", "ok")).not.toContain("follows");
});

test("the doctor reports a Patroni, an etcd and an HAProxy that do not answer", async () => {
  await writePrograms({});
  await write("machine.env", {
    PATRONI_RESTAPI_CONNECT_ADDRESS: "127.0.0.1:65533",
    PATRONI_ETCD_HOSTS: "127.0.0.1:65533",
    HAPROXY_STATUS_URL: "http://127.0.0.1:65533",
  });
  const { under } = await lookWithDoctor({}, "--settings", folder);
  const failures = under("Cluster", "failure");
  expect(failures).toContain(
    "Patroni does not answer at 127.0.0.1:65533: nothing answers there.",
  );
  expect(failures).toContain("0 of 1 members of etcd are healthy, which is no quorum");
  expect(failures).toContain(
    "HAProxy does not answer at http://127.0.0.1:65533: nothing answers there.",
  );
});

test("the doctor reports a program that is not ready and a database that cannot commit", async () => {
  const stuck = await createTestDatabase("dashboard");
  const client = new pg.Client({ connectionString: stuck.url });
  await client.connect();
  const name = new URL(stuck.url).pathname.slice(1);
  await client.query(`alter database ${name} set search_path = odd, public, pg_catalog`);
  await client.query("create schema odd");
  await client.query(
    `create function odd.pg_logical_emit_message(boolean, text, text) returns void language plpgsql
     as $$ begin raise exception 'no room' using errcode = '53100'; end $$`,
  );
  await client.end();
  const { under } = await look({}, { dashboardUrl: stuck.url, readiness: 503 });
  await stuck.drop();
  expect(under("Programs", "failure")).toContain("The dashboard runs, but is not ready");
  expect(under("Database", "failure")).toContain(
    "The dashboard's database commits nothing: no room.",
  );
});

test("the doctor reports secrets that other users can read, and a public address of the cluster", async () => {
  await writePrograms({});
  await write("machine.env", {
    ETCD_ADVERTISE_CLIENT_URLS: "http://203.0.113.7:2379",
    SERVICE_PUBLIC_URL: "http://billing.example",
  });
  await chmod(join(folder, "service.secrets.env"), 0o644);
  const { under } = await lookWithDoctor({}, "--settings", folder);
  expect(under("Configuration", "failure")).toContain("service.secrets.env can be read by");
  expect(under("Configuration", "failure")).toContain("ETCD_ADVERTISE_CLIENT_URLS is a public");
  expect(under("Configuration", "warning")).toContain("open the checkout without TLS");
});

test("the doctor ends with one line for a folder without settings", async () => {
  const { code, output } = await runDoctor({}, "--settings", folder);
  expect(code).toBe(1);
  expect(output).toMatch(
    /^duebook: .* has no settings; the doctor looks for machine\.env, .*\n$/,
  );
});
