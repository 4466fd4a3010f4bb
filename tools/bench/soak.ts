import { pbkdf2 } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { registerEndpoint } from "#lib/receiver/register.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { writeSection } from "./harness/document.ts";
import { createMembers } from "./harness/person.ts";
import { listPeriods, startProduct, type Product } from "./harness/product.ts";
import { minuteLine, reportSoak, type MinuteMeasurement } from "./soak/soak-report.ts";
import {
  countConnections,
  RemoteHeap,
  medianVital,
  readMetrics,
  readVitals,
  type Vitals,
} from "./soak/soak-vitals.ts";
import { newDiary, workAtDesk, type Diary } from "./soak/soak-work.ts";
import { median } from "./harness/trend.ts";

const HELP = `npm run bench soak -- [--minutes N] [--people N] [--subscriptions N] [--write]
N people (20) use one dashboard for N minutes (30): they sign in, list, search, open, create, cancel,
export and keep an event stream open; buyers pay at the checkout, and webhooks arrive. Fails if memory,
file handles, connections or times grow by more than 5 % after the first third, if an answer is
unexpected, or if a webhook or payment is lost. Needs a build. --write puts the results into
docs/benchmarks.md.`;
const POINTS = 30;
const FLOORS_OF_A_SAMPLE = 4;
const DRAINING_TRIES = 300;
const FLOOR_MS = 1_000;
const WORK_ROUNDS = 100_000;
const MINUTE_MS = 60_000;
const THINKING_MS = 3_000;

const { values } = readOptions({
  options: {
    minutes: { type: "string", default: "30" },
    people: { type: "string", default: "20" },
    subscriptions: { type: "string", default: "10000" },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function positive(name: "minutes" | "people" | "subscriptions", most: number): number {
  const value = Number(values[name]);
  if (value > 0 && value <= most) return value;
  throw new CommandFailure(`--${name} takes a number up to ${most}.`);
}

const work = promisify(pbkdf2);

/** Times a fixed piece of work, to find out how busy the processors are. */
async function timeFloor(): Promise<number> {
  const begun = performance.now();
  await work("", "", WORK_ROUNDS, 32, "sha256");
  return performance.now() - begun;
}

interface Heaps {
  dashboard: RemoteHeap;
  service: RemoteHeap;
}

async function watchMinute(
  product: Product,
  heaps: Heaps,
  length: number,
): Promise<MinuteMeasurement> {
  const { dashboard, subject, pool } = product;
  const begun = performance.now();
  const ofDashboard: Vitals[] = [await readVitals(dashboard.metricsPort)];
  const ofService: Vitals[] = [await readVitals(subject.metricsPort)];
  const [connections, floors]: [number[], number[]] = [[], []];
  do {
    for (let times = 0; times < FLOORS_OF_A_SAMPLE; times += 1) {
      await delay(FLOOR_MS);
      floors.push(await timeFloor());
    }
    ofDashboard.push(await readVitals(dashboard.metricsPort));
    ofService.push(await readVitals(subject.metricsPort));
    connections.push(await countConnections(pool));
  } while (performance.now() - begun < length);
  return {
    dashboardRss: medianVital(ofDashboard, "rss"),
    dashboardHandles: medianVital(ofDashboard, "handles"),
    dashboardHeap: await heaps.dashboard.readLive(),
    serviceRss: medianVital(ofService, "rss"),
    serviceHandles: medianVital(ofService, "handles"),
    processor: usedIn(ofDashboard) + usedIn(ofService),
    serviceHeap: await heaps.service.readLive(),
    connections: median(connections),
    floor: median(floors),
    begun,
    ended: performance.now(),
  };
}

/** Seconds of processor time that were used between the first and the last sample. */
const usedIn = (samples: Vitals[]) =>
  (samples.at(-1)?.processor ?? 0) - (samples[0]?.processor ?? 0);

async function register({ pool, owner, dashboard }: Product) {
  const { openClient } = await import("#lib/billing/open-client.ts");
  const billing = openClient(owner);
  const keys = encryptionKeysOf(env());
  await registerEndpoint(pool, owner, { billing, keys, baseUrl: dashboard.url });
}

/** Counts all deliveries, the delivered and the verified ones, after all have ended. */
async function countLost({ subject, dashboard }: Product) {
  const { openPool } = await import("../../service/db/database.ts");
  const service = openPool(subject.databaseUrl);
  try {
    for (let tries = 0; tries < DRAINING_TRIES; tries += 1) {
      const { rows } = await service.query<{ open: number; sent: number; all: number }>(
        `select count(*) filter (where state in ('pending', 'delivering'))::int as open,
                count(*) filter (where state = 'delivered')::int as sent, count(*)::int as all
           from delivery`,
      );
      const [{ open, sent, all } = { open: 0, sent: 0, all: 0 }] = rows;
      if (open > 0) {
        await delay(100);
        continue;
      }
      const metrics = await readMetrics(dashboard.metricsPort);
      const verified = Number(
        /^received_deliveries_total\{verdict="verified"\} (\d+)/m.exec(metrics)?.[1] ?? 0,
      );
      return { all, sent, verified };
    }
  } finally {
    await service.end();
  }
  throw new CommandFailure("deliveries are still pending half a minute after the last change.");
}

async function soak(product: Product, minutes: number, people: number) {
  const { dashboard, pool, owner, serviceInspectPort } = product;
  await register(product);
  const order = { count: people, role: "admin" as const, url: dashboard.url };
  const team = await createMembers(pool, owner, order);
  const diary: Diary = newDiary(await listPeriods(product), THINKING_MS);
  const heaps = {
    dashboard: await RemoteHeap.open(dashboard.inspectPort),
    service: await RemoteHeap.open(serviceInspectPort),
  };
  const working = team.map((person) => workAtDesk(person, diary));
  const watched: MinuteMeasurement[] = [];
  const until = performance.now() + minutes * MINUTE_MS;
  const length = Math.min(MINUTE_MS, (minutes * MINUTE_MS) / POINTS);
  try {
    while (performance.now() < until) {
      const minute = await watchMinute(product, heaps, length);
      watched.push(minute);
      console.log(minuteLine(watched.length, minute, diary.answers, diary.faults));
    }
  } finally {
    diary.isOver = true;
  }
  await Promise.all(working);
  for (const heap of Object.values(heaps)) heap.close();
  const lost = await countLost(product);
  const { text, isFlat } = reportSoak(watched, diary.answers);
  const { all, sent, verified } = lost;
  const faults = [...diary.faults].map(([words, times]) => `- ${times} × ${words}`);
  const count = (number: number) => number.toLocaleString("en");
  const report = [
    `${people} people, ${minutes} minutes, ${count(diary.answers.length)} answers, ${count(diary.paid)} payments, ${count(diary.told)} messages of streams.`,
    `Of ${count(all)} webhooks ${count(sent)} were delivered, and ${count(verified)} received and verified.`,
    faults.length === 0 ? "No answer was unexpected." : "Unexpected answers:",
    ...faults,
    "",
    text,
  ].join("\n");
  // A run without payments and deliveries proves nothing, because none could be lost.
  const wasAtWork = diary.paid > 0 && diary.told > 0 && all > 0;
  const isWhole = faults.length === 0 && sent === all && verified === all;
  return { report, isGood: isFlat && wasAtWork && isWhole };
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const [minutes, people] = [positive("minutes", 1_440), positive("people", 1_000)];
  const product = await startProduct({
    subscriptions: positive("subscriptions", 1_000_000),
    isInspected: true,
  });
  try {
    const { report, isGood } = await soak(product, minutes, people);
    console.log(`\n${report}`);
    if (values.write) await writeSection("soak", report);
    if (!isGood) throw new CommandFailure("the soak test failed: see above.");
  } finally {
    await product.close();
  }
});
