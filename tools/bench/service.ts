import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { withClient } from "#scripts/database/client.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { startHealth } from "./harness/health.ts";
import { runLoad } from "./harness/load.ts";
import {
  IDLE_ROW,
  BARE_ROUTE_ROW,
  CANCEL_ROW,
  CREATE_ROW,
  DRIVER_ROW,
  FIRST_PAGE_ROW,
  reportRounds,
  type MeasuredRow,
} from "./harness/report.ts";
import { startFloors, startBenchService, type BenchService } from "./harness/subject.ts";

const HELP = `npm run bench service -- [--large N] [--small N] [--others N] [--partitions N] [--rounds N] [--seconds N] [--json]
Times the billing service in its own process, with 1,000 subscriptions and with N (a million).
--others N      subscriptions of 1,999 other sellers, beside those of the large one
--partitions N  divides the tables of the large one among N partitions by seller`;
const OTHER_SELLERS = 1_999;
const CONNECTIONS = 8;

const { values } = readOptions({
  options: {
    large: { type: "string", default: "1000000" },
    small: { type: "string", default: "1000" },
    others: { type: "string" },
    partitions: { type: "string" },
    rounds: { type: "string", default: "15" },
    seconds: { type: "string", default: "0.5" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function positive(
  name: "large" | "small" | "others" | "partitions" | "rounds" | "seconds",
  most: number,
) {
  const value = Number(values[name]);
  if (value > 0 && value <= most) return value;
  throw new CommandFailure(`--${name} takes a number up to ${most}.`);
}

interface Scenario {
  name: string;
  status: number;
  request: (subject: BenchService) => () => string;
}

const get = (path: (subject: BenchService) => string) => (subject: BenchService) => {
  const text = message(subject, "GET", path(subject));
  return () => text;
};

function message({ key }: BenchService, method: string, path: string, body = "") {
  const content =
    body && `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n${content}\r\n${body}`;
}

// A page at four fifths of the list: page 40,000 of a million rows.
const deep = (rows: number) => Math.max(1, Math.floor((rows / 20) * 0.8));
const LIST = "/api/v1/subscriptions/";

const READS: Scenario[] = [
  { name: FIRST_PAGE_ROW, status: 200, request: get(() => LIST) },
  {
    name: "list, deep page",
    status: 200,
    request: get(({ subscriptions }) => `${LIST}?page=${deep(subscriptions)}`),
  },
  { name: "filtered, page 1", status: 200, request: get(() => `${LIST}?status=due`) },
  {
    name: "filtered, deep page",
    status: 200,
    request: get(({ due }) => `${LIST}?status=due&page=${deep(due)}`),
  },
  {
    name: "one record",
    status: 200,
    request: (subject) => {
      let turn = 0;
      return () =>
        message(subject, "GET", `${LIST}${subject.ids[(turn += 1) % subject.ids.length]}/`);
    },
  },
];

let buyers = 0;

/** Each call names another buyer, so it creates another subscription. */
function creation(subject: BenchService) {
  return () => {
    buyers += 1;
    const client = {
      phone: `97${String(buyers).padStart(8, "0")}`,
      full_name: "Asmita Rai",
      email: "asmita@example.com",
      address: "Patan, Lalitpur",
    };
    const order = { pbp_id: subject.period, return_url: "https://shop.example/", client };
    return message(subject, "POST", LIST, JSON.stringify(order));
  };
}

const turns = new Map<BenchService, number>();

/** Cancels the active subscriptions in turn; when all are cancelled, it resumes them, and so on. */
function cancellation(subject: BenchService) {
  const { running } = subject;
  return () => {
    const turn = turns.get(subject) ?? 0;
    turns.set(subject, turn + 1);
    const verb = Math.floor(turn / running.length) % 2 === 0 ? "cancel" : "resume";
    return message(subject, "POST", `${LIST}${running[turn % running.length]}/${verb}/`);
  };
}

const WRITES: Scenario[] = [
  { name: CREATE_ROW, status: 201, request: creation },
  { name: CANCEL_ROW, status: 200, request: cancellation },
];

async function measure(subjects: BenchService[], rounds: number, milliseconds: number) {
  const rows: MeasuredRow[] = [];
  const [first] = subjects as [BenchService];
  const floors = await startFloors(await firstPage(first));
  const healthz = startHealth();
  const plan = { connections: CONNECTIONS, milliseconds };
  const run = async (subject: BenchService, { name, status, request }: Scenario) => {
    const before = await subject.processorSeconds();
    const next = request(subject);
    const { result: measured, health } = await healthz.during(subject.port, () =>
      runLoad({ ...plan, port: subject.port, status, next }),
    );
    const processor = ((await subject.processorSeconds()) - before) * 1_000;
    rows.push({
      ...measured,
      name,
      size: subject.subscriptions,
      processor: processor / measured.requests,
      health,
    });
  };
  const rest = async ({ port, subscriptions: size }: BenchService) => {
    const { health } = await healthz.during(port, () => delay(milliseconds));
    const nothing = { rate: NaN, p50: NaN, p95: NaN, p99: NaN, requests: 0 };
    rows.push({ ...nothing, name: IDLE_ROW, size, health });
  };
  const compare = async (subject: BenchService) => {
    const { databaseUrl, sellerId, subscriptions: size } = subject;
    const measured = await floors.fetchRows({ fetch: { databaseUrl, sellerId }, ...plan });
    rows.push({ ...measured, name: DRIVER_ROW, size });
  };

  for (let round = 0; round <= rounds; round += 1) {
    // The first round is not counted, because it warms up caches.
    if (round === 1) rows.length = 0;
    for (const subject of subjects) await rest(subject);
    for (const scenario of READS)
      for (const subject of subjects) {
        await run(subject, scenario);
        // The comparison follows at once, because other load on the machine changes from second to
        // second.
        if (scenario.name === FIRST_PAGE_ROW) await compare(subject);
      }
    const bare = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
    const measured = await runLoad({
      ...plan,
      port: floors.port,
      status: 200,
      next: () => bare,
    });
    rows.push({ ...measured, name: BARE_ROUTE_ROW, size: first.subscriptions });
  }
  // Creations follow the reads, because rows created here come first in lists and differ from the
  // others.
  for (let round = 0; round < rounds; round += 1)
    for (const scenario of WRITES) for (const subject of subjects) await run(subject, scenario);
  await Promise.all([floors.close(), healthz.close()]);
  return rows;
}

async function describeSize(url: string, memory: BenchService["memory"]): Promise<string> {
  const { size } = await withClient(url, async (client) => {
    const { rows } = await client.query<{ size: string }>(
      "select pg_size_pretty(pg_database_size(current_database())) as size",
    );
    return rows[0] ?? { size: "?" };
  });
  return `database ${size}, service ${((await memory()) / 2 ** 20).toFixed(0)} MiB`;
}

async function firstPage({ port, key }: BenchService): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`http://127.0.0.1:${port}${LIST}`, { headers });
  return answer.text();
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const [large, rounds] = [positive("large", 10_000_000), positive("rounds", 100)];
  const small = positive("small", large - 1);
  const ofLarge = {
    ...(values.others && {
      beside: { rows: positive("others", 10_000_000), sellers: OTHER_SELLERS },
    }),
    ...(values.partitions && { partitions: positive("partitions", 256) }),
  };
  const milliseconds = positive("seconds", 60) * 1_000;
  const directory = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  const postgres = await startPostgres(directory);
  const subjects: BenchService[] = [];
  try {
    for (const [name, count] of Object.entries({ small, large })) {
      await postgres.ensureDatabase(name);
      const started = performance.now();
      const options = name === "large" ? ofLarge : {};
      subjects.push(await startBenchService(postgres.url(name), count, options));
      const seconds = ((performance.now() - started) / 1_000).toFixed(0);
      console.error(`${name}: ${count.toLocaleString("en")} subscriptions in ${seconds} s`);
    }
    const rows = await measure(subjects, rounds, milliseconds);
    for (const { databaseUrl, memory } of subjects)
      console.error(await describeSize(databaseUrl, memory));
    console.log(values.json ? JSON.stringify(rows) : reportRounds(rows, [small, large]));
  } finally {
    await Promise.all(subjects.map((subject) => subject.close()));
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
});
