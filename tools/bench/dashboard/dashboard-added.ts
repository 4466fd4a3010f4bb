import { Agent, get } from "node:http";
import { encode } from "next-auth/jwt";
import { ReceivedSubscriptionPage } from "#contract/subscriptions.ts";
import { openSessionCookie } from "#lib/auth/sessions/session-cookie.ts";
import { createSession, findVisitor } from "#lib/auth/sessions/session.ts";
import { openConnection } from "#lib/billing/connection.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { singleRow } from "#lib/db/pool.ts";
import { summarizeTimes, type LoadMeasurement } from "../harness/load.ts";
import type { Product } from "../harness/product.ts";
import { readVitals } from "../soak/soak-vitals.ts";
import { median } from "../harness/trend.ts";

const AT_ONCE = 8;

/** A URL and the headers of its request. */
export interface RequestTarget {
  url: string;
  headers: Record<string, string>;
}

interface Plan {
  atOnce: number;
  milliseconds: number;
}

/** Sends requests to one URL over a number of connections without pauses, and reads each answer completely. */
async function askFor(
  target: RequestTarget,
  { atOnce, milliseconds }: Plan,
): Promise<LoadMeasurement> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const times: number[] = [];
  const begun = performance.now();
  const until = begun + milliseconds;
  const lane = async () => {
    for (let now = performance.now(); now < until;) {
      await ask(target, agent);
      const end = performance.now();
      times.push(end - now);
      now = end;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  agent.destroy();
  return summarizeTimes(times, performance.now() - begun);
}

function ask({ url, headers }: RequestTarget, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (answer) => {
      answer
        .resume()
        .once("end", () =>
          answer.statusCode === 200
            ? resolve()
            : reject(new Error(`${url} was answered with ${answer.statusCode}`)),
        );
    }).once("error", reject);
  });
}

/** The cookie of a new session of a user who may read. */
export async function createSessionCookie({ pool }: Product): Promise<string> {
  const { rows } = await pool.query<{ user_id: string }>(
    "select user_id from membership limit 1",
  );
  const sid = await createSession(pool, singleRow(rows));
  const token = await encode({ token: { sid }, secret: env().NEXTAUTH_SECRET });
  return `duebook.session=${token}`;
}

export interface AddedLatency {
  name: string;
  /**
   * Milliseconds at p50, one request at a time: `direct` from the API, `dashboard` through the
   * dashboard.
   */
  direct: number;
  dashboard: number;
  added: number;
}

/** How much longer a call takes through the dashboard; both are measured in turns, and each round is a median. */
export async function measureAddedLatency(
  product: Product,
  { rounds, milliseconds }: { rounds: number; milliseconds: number },
): Promise<AddedLatency[]> {
  const { subject, dashboard, code } = product;
  const direct = { headers: { authorization: `Bearer ${subject.key}` } };
  const own = { headers: { cookie: await createSessionCookie(product) } };
  const api = `http://127.0.0.1:${subject.port}/api/v1/subscriptions/`;
  const route = `${dashboard.url}/api/${code}/test/subscriptions`;
  const [id = ""] = subject.ids;
  const pairs: [name: string, direct: RequestTarget, dashboard: RequestTarget][] = [
    [
      "a page of the list",
      { url: `${api}?page=1&page_size=20`, ...direct },
      { url: route, ...own },
    ],
    ["one record", { url: `${api}${id}/`, ...direct }, { url: `${route}/${id}`, ...own }],
  ];
  const found = new Map<string, AddedLatency[]>(pairs.map(([name]) => [name, []]));
  const plan = { atOnce: 1, milliseconds };
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, first, second] of pairs) {
      const straight = (await askFor(first, plan)).p50;
      const by = (await askFor(second, plan)).p50;
      // The first round is not counted, because it warms up caches.
      if (round > 0)
        found.get(name)?.push({ name, direct: straight, dashboard: by, added: by - straight });
    }
  return [...found].map(([name, all]) => ({
    name,
    direct: median(all.map((one) => one.direct)),
    dashboard: median(all.map((one) => one.dashboard)),
    added: median(all.map((one) => one.added)),
  }));
}

export interface LatencyPart {
  name: string;
  /** Milliseconds at p50. */
  time: number;
}

/** Times each step of a call alone in this process, to divide the added time among them. */
export async function measureLatencyParts(
  product: Product,
  rounds: number,
): Promise<LatencyPart[]> {
  const { pool, owner, code, subject } = product;
  const cookie = (await createSessionCookie(product)).split("=")[1] ?? "";
  const secret = env().NEXTAUTH_SECRET;
  const read = () => openSessionCookie(cookie, secret);
  const sid = String(await read());
  const answer = await fetch(`http://127.0.0.1:${subject.port}/api/v1/subscriptions/`, {
    headers: { authorization: `Bearer ${subject.key}` },
  });
  const text = await answer.text();
  const steps: [name: string, run: () => unknown][] = [
    ["the cookie", read],
    ["session, permission (one read)", () => findVisitor(pool, sid, code)],
    ["key (one read, opened)", () => openConnection(pool, owner, encryptionKeysOf(env()))],
    ["parse of 20 rows", () => ReceivedSubscriptionPage.parse(JSON.parse(text))],
  ];
  const parts: LatencyPart[] = [];
  for (const [name, run] of steps) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const begun = performance.now();
      await run();
      times.push(performance.now() - begun);
    }
    parts.push({ name, time: median(times) });
  }
  return parts;
}

export interface PageRate extends LoadMeasurement {
  name: string;
  /** Milliseconds of the dashboard's processor time per request. */
  processor: number;
}

/** Measures pages and reads per second, over eight connections without pauses. */
export async function measureRates(
  product: Product,
  milliseconds: number,
): Promise<PageRate[]> {
  const { dashboard, code, subject } = product;
  const headers = { cookie: await createSessionCookie(product) };
  const home = `${dashboard.url}/${code}/test`;
  const [id = ""] = subject.ids;
  const addresses = {
    "a route that does nothing": `${dashboard.url}/healthz`,
    "read: a page of the list": `${dashboard.url}/api/${code}/test/subscriptions`,
    "read: one record": `${dashboard.url}/api/${code}/test/subscriptions/${id}`,
    "page: overview": home,
    "page: list": `${home}/subscriptions`,
    "page: record": `${home}/subscriptions/${id}`,
  };
  const rates: PageRate[] = [];
  for (const [name, url] of Object.entries(addresses)) {
    const target = { url, headers };
    await askFor(target, { atOnce: AT_ONCE, milliseconds: milliseconds / 4 });
    const before = await readVitals(dashboard.metricsPort);
    const measured = await askFor(target, { atOnce: AT_ONCE, milliseconds });
    const after = await readVitals(dashboard.metricsPort);
    const processor = ((after.processor - before.processor) * 1_000) / measured.requests;
    rates.push({ name, ...measured, processor });
  }
  return rates;
}
