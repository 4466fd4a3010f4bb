import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { openPool } from "../../service/db/database.ts";
import { issueKey } from "../../service/sellers/key-store.ts";
import { callAtRate } from "./harness/at-rate.ts";
import { summarizeTimes } from "./harness/load.ts";
import { startBenchService, type BenchService } from "./harness/subject.ts";

const HELP = `npm run bench messages -- [--reminders N] [--codes N]
Lets N reminders (10,000) of a schedule come due at one minute, to go through a gateway that takes everything,
and meanwhile requests codes at the checkout, five a second (200): seconds until all are taken, milliseconds
from the press to the code's arrival, and the API's answers beside it and at rest.`;

const { values } = readOptions({
  options: {
    reminders: { type: "string", default: "10000" },
    codes: { type: "string", default: "200" },
    help: { type: "boolean", default: false },
  },
});

const SECRETS_KEY = Buffer.alloc(32, "key of the bench").toString("base64");
const MINUTE = 60_000;
const PER_MINUTE = 6_000;
const CODES_A_SECOND = 5;

function whole(name: "reminders" | "codes"): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 1 && value <= 1_000_000) return value;
  throw new CommandFailure(`--${name} takes a whole number from 1 to 1,000,000.`);
}

/** A gateway that accepts every message, and records when each text arrived. */
async function startGateway() {
  const arrivals = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (some: string) => (body += some));
    request.on("end", () => {
      arrivals.set(new URLSearchParams(body).get("text") ?? "", performance.now());
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { arrivals, url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** @returns a function that calls the account API with a new token of the seller */
async function accountApi(pool: pg.Pool, { port, sellerId }: BenchService) {
  const key = await issueKey(pool, {
    kind: "account_token",
    seller_id: sellerId,
    mode: "test",
    created_at: new Date(),
  });
  return async (method: "POST" | "PATCH", path: string, body: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}/account/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new CommandFailure(`${path} was refused: ${await answer.text()}`);
  };
}

type AccountApi = Awaited<ReturnType<typeof accountApi>>;

const setUpChannel = (ask: AccountApi, url: string) =>
  ask("POST", "channels/sms/", {
    provider: "http_sms",
    settings: { url },
    per_minute: PER_MINUTE,
    version: null,
  });

/**
 * Switches on a schedule whose only step comes due in one to two minutes for that many subscriptions.
 * @returns the minute
 */
async function scheduleReminders(
  pool: pg.Pool,
  ask: AccountApi,
  { sellerId }: BenchService,
  count: number,
): Promise<Date> {
  const { rows } = await pool.query<{ time_zone: string }>(
    "select time_zone from seller where seller_id = $1",
    [sellerId],
  );
  const due = new Date((Math.floor(Date.now() / MINUTE) + 2) * MINUTE);
  const local = due.toTemporalInstant().toZonedDateTimeISO(rows[0]?.time_zone ?? "UTC");
  await ask("PATCH", "reminders/schedule/", {
    version: null,
    is_on: true,
    quiet_hours: null,
    most_a_week: null,
    steps: [
      {
        kind: "on_day",
        time: local.toPlainTime().toString({ smallestUnit: "minute" }),
        texts: [{ language: "en", subject: "Payment", text: "{amount}: {link} {stop}" }],
      },
    ],
  });
  const { rowCount } = await pool.query(
    `update subscription set next_billing_cycle = $3 where subscription_id in (
       select subscription_id from subscription
       where seller_id = $1 and status = 'active' and not is_one_time and phone <> ''
       limit $2)`,
    [sellerId, count, new Date(due.getTime() + MINUTE)],
  );
  if (rowCount !== count)
    throw new CommandFailure(`only ${rowCount} subscriptions are active: ask for fewer.`);
  return due;
}

/** Subscriptions that can be paid, each of a different buyer. */
async function payable(pool: pg.Pool, sellerId: number, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ subscription_id: string }>(
    `select distinct on (phone) subscription_id from subscription
     where seller_id = $1 and status in ('due', 'pending_checkout') and phone <> '' limit $2`,
    [sellerId, count],
  );
  return rows.map(({ subscription_id }) => subscription_id);
}

/** Requests codes. @returns milliseconds from each press to the arrival of its text at the gateway */
async function timeCodes({ port }: BenchService, { arrivals }: Gateway, ids: string[]) {
  const base = `http://127.0.0.1:${port}`;
  const times: number[] = [];
  await callAtRate(
    { rate: CODES_A_SECOND, seconds: ids.length / CODES_A_SECOND },
    async (at) => {
      const pressed = performance.now();
      const answer = await fetch(`${base}/pay/${ids[at]}/code`, {
        method: "POST",
        redirect: "manual",
        headers: { "content-type": "application/x-www-form-urlencoded", origin: base },
        body: "method=wallet",
      });
      const page = await fetch(new URL(answer.headers.get("location") ?? "", base));
      const code = /<strong>(\d{6})<\/strong>/.exec(await page.text())?.[1];
      if (!code) throw new CommandFailure("a checkout shows no code.");
      for (let looks = 0; looks < 1_000; looks += 1) {
        const text = [...arrivals.keys()].find((each) =>
          each.startsWith(`${code} is your code`),
        );
        if (text !== undefined) return void times.push((arrivals.get(text) ?? 0) - pressed);
        await delay(10);
      }
      throw new CommandFailure("a code did not arrive within ten seconds.");
    },
  );
  return times;
}

/** Reads the list as long as the work runs. @returns a summary of the answers' milliseconds */
async function timeList({ port, key }: BenchService, work: () => Promise<unknown>) {
  const times: number[] = [];
  let isRunning = true;
  const done = work().finally(() => (isRunning = false));
  while (isRunning) {
    const begun = performance.now();
    await fetch(`http://127.0.0.1:${port}/api/v1/subscriptions/`, {
      headers: { authorization: `Bearer ${key}` },
    }).then((answer) => answer.arrayBuffer());
    times.push(performance.now() - begun);
    await delay(20);
  }
  await done;
  return summarizeTimes(times, 1);
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const [reminders, codes] = [whole("reminders"), whole("codes")];
  const directory = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  const postgres = await startPostgres(directory);
  const gateway = await startGateway();
  try {
    await postgres.ensureDatabase("service");
    const url = postgres.url("service");
    const environment = {
      SERVICE_SECRETS_KEY: SECRETS_KEY,
      SERVICE_PRIVATE_TARGETS: "allow",
      SERVICE_MESSAGES_PER_HOUR: "0",
    };
    const subject = await startBenchService(url, Math.max(10_000, 3 * reminders), {
      environment,
    });
    const pool = openPool(url);
    try {
      const ask = await accountApi(pool, subject);
      await setUpChannel(ask, gateway.url);
      const ids = await payable(pool, subject.sellerId, codes);
      const atRest = await timeList(subject, () => delay(10_000));
      const due = await scheduleReminders(pool, ask, subject, reminders);
      while (gateway.arrivals.size === 0) await delay(5);
      const begun = Date.now();
      let taken = 0;
      let times: number[] = [];
      const beside = await timeList(subject, async () => {
        times = await timeCodes(subject, gateway, ids);
        while (gateway.arrivals.size < reminders + ids.length) await delay(50);
        taken = Date.now();
      });
      const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1);
      const { rows } = await pool.query<{ state: string; count: number }>(
        "select state, count(*)::int as count from message group by 1 order by 1",
      );
      const code = summarizeTimes(times, 1);
      const ms = (value: number) => value.toFixed(0);
      console.log(
        [
          `| ${reminders.toLocaleString("en")} reminders due at one minute, at a limit of ${PER_MINUTE.toLocaleString("en")} a minute | |`,
          "| --- | ---: |",
          `| from their minute to the first arrival, s | ${seconds(due.getTime(), begun)} |`,
          `| from the first arrival until all were taken, s | ${seconds(begun, taken)} |`,
          `| ${ids.length} codes beside them, press to gateway: p50, p95, longest, ms | ${ms(code.p50)}, ${ms(code.p95)}, ${ms(Math.max(...times))} |`,
          `| list of the API at rest: p50, p99, ms | ${atRest.p50.toFixed(1)}, ${atRest.p99.toFixed(1)} |`,
          `| list of the API beside it: p50, p99, ms | ${beside.p50.toFixed(1)}, ${beside.p99.toFixed(1)} |`,
          `| messages by state | ${rows.map(({ state, count }) => `${state} ${count}`).join(", ")} |`,
        ].join("\n"),
      );
    } finally {
      await pool.end();
      await subject.close();
    }
  } finally {
    gateway.close();
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
});
