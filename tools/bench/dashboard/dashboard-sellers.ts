import { setTimeout as delay } from "node:timers/promises";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { saveApiKey } from "#lib/billing/connection.ts";
import { singleRow } from "#lib/db/pool.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { CommandFailure } from "#scripts/process/command.ts";
import { summarizeTimes } from "../harness/load.ts";
import { createMembers, type Person } from "../harness/person.ts";
import { listPeriods, type Product } from "../harness/product.ts";
import { medianVital, readVitals, type Vitals } from "../soak/soak-vitals.ts";
import { newDiary, workAtDesk } from "../soak/soak-work.ts";

const THINKING_MS = 5_000;
const SAMPLE_MS = 2_000;
const AT_ONCE = 10;
const COPY_TRIES = 3_000;

/** The resources of the server while many sellers work, each with a user, a key and a search index. */
export interface ServerUnderLoad {
  sellers: number;
  seconds: number;
  /** MiB of the dashboard's process: `idle` before the load, `memory` the median under load. */
  idle: number;
  memory: number;
  /** Processor use of each program, as a share of one processor. */
  dashboard: number;
  service: number;
  answers: number;
  p50: number;
  p95: number;
  p99: number;
  faults: string[];
}

const MIB = 1_048_576;

export async function measureSellers(
  product: Product,
  { sellers, seconds }: { sellers: number; seconds: number },
): Promise<ServerUnderLoad> {
  const { dashboard, subject } = product;
  const idle = (await readVitals(dashboard.metricsPort)).rss;
  const people = await openSellers(product, sellers);
  await waitForIndex(product, sellers + 1);
  const diary = newDiary(await listPeriods(product), THINKING_MS);
  // At most sixty sign-ins of one network may run at a time.
  for (let at = 0; at < people.length; at += AT_ONCE)
    await Promise.all(people.slice(at, at + AT_ONCE).map((person) => person.signIn()));
  const working = people.map((person) => workAtDesk(person, diary));
  const [ofDashboard, ofService]: [Vitals[], Vitals[]] = [[], []];
  const begun = performance.now();
  while (performance.now() - begun < seconds * 1_000) {
    ofDashboard.push(await readVitals(dashboard.metricsPort));
    ofService.push(await readVitals(subject.metricsPort));
    await delay(SAMPLE_MS);
  }
  const ended = performance.now();
  const share = async (samples: Vitals[], port: number) => {
    const { processor } = await readVitals(port);
    return ((processor - (samples[0]?.processor ?? 0)) * 1_000) / (performance.now() - begun);
  };
  const used = {
    dashboard: await share(ofDashboard, dashboard.metricsPort),
    service: await share(ofService, subject.metricsPort),
  };
  diary.isOver = true;
  await Promise.all(working);
  const times = diary.answers
    .filter(({ at }) => at >= begun && at < ended)
    .map(({ took }) => took);
  const { p50, p95, p99 } = summarizeTimes(times, 1);
  return {
    sellers,
    seconds,
    idle: idle / MIB,
    memory: medianVital(ofDashboard, "rss") / MIB,
    ...used,
    answers: times.length,
    p50,
    p95,
    p99,
    faults: [...diary.faults].map(([words, times_]) => `${times_} × ${words}`),
  };
}

async function openSellers({ pool, subject, dashboard }: Product, sellers: number) {
  const people: Person[] = [];
  for (let made = 0; made < sellers; made += 1) {
    const { rows } = await pool.query<{ id: string }>(
      "insert into seller (name, time_zone) values ($1, 'Asia/Kathmandu') returning id",
      [`Seller ${made}`],
    );
    const owner: KeyOwner = { seller_id: singleRow(rows).id, mode: "test" };
    const key = { apiKey: subject.key, state: "good" as const, user_id: null };
    await saveApiKey(pool, owner, key, encryptionKeysOf(env()));
    people.push(
      ...(await createMembers(pool, owner, { count: 1, role: "admin", url: dashboard.url })),
    );
  }
  return people;
}

/** Waits until every seller's search index is filled. */
export async function waitForIndex({ pool }: Product, sellers: number): Promise<void> {
  for (let tries = 0; tries < COPY_TRIES; tries += 1) {
    const { rows } = await pool.query<{ count: number }>(
      "select count(*)::int as count from mirror where filled_at is not null",
    );
    if (singleRow(rows).count >= sellers) return;
    await delay(200);
  }
  throw new CommandFailure("the search indexes are not filled after ten minutes.");
}
