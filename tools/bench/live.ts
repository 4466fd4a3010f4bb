import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get, type ClientRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { encode } from "next-auth/jwt";
import pg from "pg";
import { createSession } from "#lib/auth/sessions/session.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { createPool, singleRow } from "#lib/db/pool.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { registerEndpoint } from "#lib/receiver/register.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { freePort } from "#scripts/database/free-port.ts";
import { markdown } from "../markdown.ts";
import { ensureSecrets } from "#scripts/process/secrets.ts";
import { openDatabases, ROOT } from "#scripts/process/settings.ts";
import { DELIVERIES_CHANNEL } from "../../service/subscriptions/emit-events.ts";
import { SandboxClient } from "#lib/billing/sandbox-client.ts";

const HELP = `npm run bench live -- [--streams N] [--payments N]
Runs two dashboard processes over one PostgreSQL with N open streams each (1000), makes payments at the
billing service (100), and times from a payment's commit until every stream has sent it. Needs a build.`;
const OF_A_PERSON = 25;
const AIM_MS = 1_000;
const AT_ONCE = 50;

const { values } = readOptions({
  options: {
    streams: { type: "string", default: "1000" },
    payments: { type: "string", default: "100" },
    help: { type: "boolean", default: false },
  },
});

function positive(name: "streams" | "payments", most: number): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value > 0 && value <= most) return value;
  throw new CommandFailure(`--${name} takes a number up to ${most}.`);
}

interface Dashboard {
  url: string;
  child: ChildProcess;
}

function start(script: string, environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [join(ROOT, "scripts", script)], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...environment },
  });
}

async function untilHealthy(url: string) {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    if (answer?.ok) return;
    await delay(100);
  }
  throw new CommandFailure(`${url} does not answer.`);
}

const megabytes = ({ child }: Dashboard) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1_024;

const percentile = (sorted: number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
const spread = (times: number[]) => {
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
};

/** Called when a stream sends a payment. */
type Seen = (subscription_id: string, at: number) => void;

function openStream(url: string, cookie: string, seen: Seen): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { cookie } }, (response) => {
      if (response.statusCode !== 200)
        return reject(new CommandFailure(`a stream was answered with ${response.statusCode}`));
      response.setEncoding("utf8").on("data", (text: string) => {
        const at = performance.now();
        for (const [, id = ""] of text.matchAll(/"kind":"delivery","ids":\["([\w-]+)"/g))
          seen(id, at);
      });
      response.on("error", () => {});
      resolve(request);
    });
    request.on("error", reject);
  });
}
const agent = new Agent({ keepAlive: false, maxSockets: Infinity });

async function listen(url: string, channel: string, heard: (payload: string) => void) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`listen ${channel}`);
  client.on("notification", ({ payload = "" }) => heard(payload));
  return client;
}

async function cookiesFor(pool: pg.Pool, owner: KeyOwner, people: number): Promise<string[]> {
  const cookies: string[] = [];
  for (let made = 0; made < people; made += 1) {
    const { rows } = await pool.query<{ user_id: string }>(
      `with person as (insert into app_user (email, name, password_hash)
                       values (gen_random_uuid() || '@example.com', 'Reader', '') returning id)
       insert into membership (user_id, seller_id, role)
       select id, $1, 'viewer' from person returning user_id`,
      [owner.seller_id],
    );
    const sid = await createSession(pool, singleRow(rows));
    const token = await encode({ token: { sid }, secret: env().NEXTAUTH_SECRET });
    cookies.push(`duebook.session=${token}`);
  }
  return cookies;
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const [streams, payments] = [positive("streams", 10_000), positive("payments", 10_000)];
  const folder = await mkdtemp(join(tmpdir(), "duebook-bench-live-"));
  const [port, otherPort, servicePort] = [await freePort(), await freePort(), await freePort()];
  const serviceUrl = `http://localhost:${servicePort}`;
  const first = start("up.ts", {
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    DATA_DIR: folder,
  });
  const children = [first];
  try {
    const url = `http://localhost:${port}`;
    await untilHealthy(url);
    const { urls } = await openDatabases(folder);
    const { secrets } = await ensureSecrets(folder, { urls });
    const settings = {
      ...secrets,
      DATABASE_URL: urls.dashboard,
      BILLING_SANDBOX_API_URL: serviceUrl,
      NEXTAUTH_URL: url,
    };
    Object.assign(process.env, settings);
    const otherUrl = `http://localhost:${otherPort}`;
    const other = start("dashboard.ts", {
      ...settings,
      NEXTAUTH_URL: otherUrl,
      HOST: "127.0.0.1",
      PORT: String(otherPort),
      NODE_ENV: "production",
      MIRROR_WORKER: "elsewhere",
    });
    children.push(other);
    await untilHealthy(otherUrl);
    await measure({ url, otherUrl, other, urls, streams, payments });
  } finally {
    for (const child of children.toReversed()) child.kill("SIGINT");
    await Promise.all(
      children.map((child) => new Promise((done) => child.once("close", done))),
    );
    await rm(folder, { recursive: true, force: true });
  }
  process.exit(0);
});

interface Measure {
  url: string;
  otherUrl: string;
  other: ChildProcess;
  urls: { dashboard: string; service: string };
  streams: number;
  payments: number;
}

async function measure({ url, otherUrl, other, urls, streams, payments }: Measure) {
  const { openClient } = await import("#lib/billing/open-client.ts");
  const pool = createPool(urls.dashboard);
  const { rows } = await pool.query<KeyOwner & { code: string }>(
    `select c.seller_id, c.mode, s.code from billing_connection c join seller s on s.id = c.seller_id`,
  );
  const { code, ...owner } = singleRow(rows);
  const billing = openClient(owner);
  await registerEndpoint(pool, owner, { billing, keys: encryptionKeysOf(env()), baseUrl: url });
  const ids = await makePayable(billing, payments);
  const cookies = await cookiesFor(pool, owner, Math.ceil(streams / OF_A_PERSON));
  const dashboard = { url: otherUrl, child: other };
  const before = megabytes(dashboard);

  const told = new Map<string, { committed: number; bare: number; seen: number[] }>();
  for (const id of ids) told.set(id, { committed: Number.NaN, bare: Number.NaN, seen: [] });
  const seen: Seen = (id, at) => told.get(id)?.seen.push(at);
  const open: ClientRequest[] = [];
  for (const base of [url, otherUrl])
    for (let made = 0; made < streams; made += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, streams - made) }, (_one, at) =>
        openStream(
          `${base}/api/${code}/${owner.mode}/live`,
          cookies[Math.floor((made + at) / OF_A_PERSON)] ?? "",
          seen,
        ),
      );
      open.push(...(await Promise.all(some)));
    }
  const holding = megabytes(dashboard);

  let paying = "";
  const commits = await listen(urls.service, DELIVERIES_CHANNEL, () => {
    const one = told.get(paying);
    if (one && Number.isNaN(one.committed)) one.committed = performance.now();
  });
  const bare = await listen(urls.dashboard, "live", (payload) => {
    const { kind, ids: about } = JSON.parse(payload) as { kind: string; ids: string[] | null };
    const one = told.get(about?.[0] ?? "");
    if (kind === "delivery" && one && Number.isNaN(one.bare)) one.bare = performance.now();
  });
  for (const id of ids) {
    paying = id;
    await new SandboxClient(billing).simulatePayment(id, {
      method: "wallet",
      outcome: "approve",
    });
    const one = told.get(id);
    for (let waits = 0; one && one.seen.length < 2 * streams && waits < 500; waits += 1)
      await delay(10);
  }
  const all = [...told.values()];
  const missing = all.filter((one) => one.seen.length < 2 * streams).length;
  const inStreams = spread(
    all.flatMap(({ seen: at, committed }) => at.map((time) => time - committed)),
  );
  const last = spread(all.map(({ seen: at, committed }) => Math.max(...at) - committed));
  const listening = spread(all.map((one) => one.bare - one.committed));
  const row = (name: string, { p50, p95 }: ReturnType<typeof spread>) => [
    name,
    p50.toFixed(1),
    p95.toFixed(1),
  ];
  console.log(
    markdown([
      [`${payments} payments, 2 × ${streams} streams`, "p50 ms", "p95 ms"],
      row("commit → bare LISTEN client", listening),
      row("commit → each stream", inStreams),
      row("commit → last stream", last),
    ]),
  );
  console.log(
    `ratio streams / bare LISTEN, p95: ${(inStreams.p95 / listening.p95).toFixed(2)}`,
  );
  console.log(`payments that some stream did not tell of: ${missing}`);
  console.log(
    `memory of one process: ${before.toFixed(0)} MB, with ${streams} streams ${holding.toFixed(0)} MB`,
  );
  console.log(
    `p95 within ${AIM_MS} ms: ${inStreams.p95 < AIM_MS && missing === 0 ? "met" : "MISSED"}`,
  );
  for (const request of open) request.destroy();
  await Promise.all([commits.end(), bare.end(), pool.end()]);
}

type Billing = BillingClient;

/** Creates subscriptions that wait for their first payment. */
async function makePayable(billing: Billing, count: number): Promise<string[]> {
  const { results } = await billing.listProducts({ page: 1, page_size: 20 });
  const periods = results.flatMap(({ plan }) => plan.flatMap((one) => one.billing_periods));
  const pbp_id = periods[0]?.pbp_id;
  if (!pbp_id) throw new CommandFailure("the seller has no plan to subscribe to.");
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const { subscription_id } = await billing.createSubscription({
      pbp_id,
      return_url: "https://shop.example/back",
      client: {
        full_name: `Buyer ${made}`,
        phone: `98${String(10_000_000 + made)}`,
        email: `buyer-${made}@example.com`,
        address: "Pokhara",
      },
    });
    ids.push(subscription_id);
  }
  return ids;
}
