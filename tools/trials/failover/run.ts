import { setTimeout as delay } from "node:timers/promises";
import { markdown } from "../../markdown.ts";
import { waitFor } from "../faults/wait-until.ts";
import { percentile } from "../topology/outcome-log.ts";
import type { Cluster } from "./cluster.ts";
import { DirectWriter } from "./direct-writer.ts";
import { FAILOVER_KINDS } from "./kinds.ts";
import { FailoverLoad } from "./load.ts";
import type { Programs } from "./programs.ts";

const STEADY = 5_000;
const AFTERWARDS = 3_000;

interface Round {
  kind: string;
  /** The longest time without an acknowledged write, in seconds. */
  gap: number;
  /** Seconds from the end of the fault until all three machines follow again. */
  whole: number;
  /** The milliseconds that writes took, from their first try to their answer. */
  times: number[];
}

/**
 * Causes each kind of fault under load and looks for every acknowledged write after each round.
 * @returns the problems
 */
export async function runFailovers(
  cluster: Cluster,
  programs: Programs,
  { kinds, rounds }: { kinds: readonly string[]; rounds: number },
): Promise<string[]> {
  const { service, dashboard } = programs;
  const databases = { dashboard: cluster.url("dashboard"), service: cluster.url("service") };
  const load = await FailoverLoad.open({ service, dashboard, databases });
  const direct = await DirectWriter.open(cluster);
  const over = new AbortController();
  const working = Promise.all([load.writeUntil(over.signal), direct.writeUntil(over.signal)]);
  const done: Round[] = [];
  const problems: string[] = [];
  try {
    for (const kind of kinds)
      for (let round = 1; round <= rounds; round += 1) {
        const result = runRound(cluster, load, kind);
        const outcome = await Promise.race([result, working.then(() => null)]);
        if (!outcome) break;
        done.push(outcome);
        const found = findProblems(await checkWrites(load, direct), load);
        problems.push(...found.map((problem) => `${kind}, round ${round}: ${problem}`));
        console.log(
          `${kind}, round ${round}: no acknowledged write for ${outcome.gap.toFixed(1)} s, whole ${outcome.whole.toFixed(1)} s after it ended, writes took ${timesOf(outcome.times)}${found.length > 0 ? ` -- ${found.join("; ")}` : ""}`,
        );
      }
  } finally {
    over.abort();
    await working;
  }
  const check = await checkWrites(load, direct);
  problems.push(...findProblems(check, load));
  report(done, check, load);
  const { events, missing, arrivals } = await load.checkDeliveries();
  if (missing > 0) problems.push(`${missing} payments were never delivered`);
  console.log(`${events} payments told in ${arrivals} deliveries: ${missing} missing`);
  for (const { name, unexpectedExits } of programs.processes)
    if (unexpectedExits > 0) problems.push(`the ${name} ended ${unexpectedExits} times`);
  await load.close();
  return problems;
}

async function runRound(cluster: Cluster, load: FailoverLoad, kind: string): Promise<Round> {
  await delay(STEADY);
  load.begin();
  await FAILOVER_KINDS[kind]?.cause(cluster);
  const ended = performance.now();
  await cluster.waitUntilWhole();
  await load.waitForWrites();
  const whole = (performance.now() - ended) / 1_000;
  await cluster.waitUntilArchived();
  await delay(AFTERWARDS);
  return { kind, gap: load.longestGap, whole, times: load.times };
}

const timesOf = (times: number[]) =>
  `${percentile(times, 0.5).toFixed(0)} ms (p50) and ${percentile(times, 0.95).toFixed(0)} ms (p95)`;

type WriteCheck = Awaited<ReturnType<typeof checkWrites>>;

function findProblems({ lost, doubled, past }: WriteCheck, load: FailoverLoad): string[] {
  return [
    ...(lost.length > 0
      ? [`${lost.length} acknowledged writes are lost: ${lost.slice(0, 5).join("; ")}`]
      : []),
    ...(doubled > 0 ? [`${doubled} writes were done twice`] : []),
    ...(load.differing > 0 ? [`${load.differing} repeated requests got another answer`] : []),
    ...(past.lost > 0 ? [`${past.lost} writes were accepted by a former primary`] : []),
    ...load.wordless.map((words) => `refused without words or Retry-After: ${words}`),
  ];
}

/** Looks for all writes, and repeats this if the database goes away meanwhile. */
const checkWrites = (load: FailoverLoad, direct: DirectWriter) =>
  waitFor("the comparison", async () => ({
    ...(await load.check()),
    past: await direct.check(),
  }));

function report(done: readonly Round[], check: WriteCheck, load: FailoverLoad) {
  const rows = [...Map.groupBy(done, ({ kind }) => kind)].map(([kind, all]) => {
    const gaps = all.map(({ gap }) => gap);
    const wholes = all.map(({ whole }) => whole);
    return [
      FAILOVER_KINDS[kind]?.does ?? kind,
      String(all.length),
      percentile(gaps, 0.5).toFixed(1),
      Math.max(...gaps).toFixed(1),
      Math.max(...wholes).toFixed(1),
      ...[0.5, 0.95].map((part) =>
        percentile(
          all.flatMap(({ times }) => times),
          part,
        ).toFixed(0),
      ),
    ];
  });
  const heads = [
    "fault",
    "rounds",
    "no write for s, p50",
    "worst",
    "whole after s, worst",
    "a write took ms, p50",
    "p95",
  ];
  console.log(`\n${markdown([heads, ...rows])}\n`);
  const { lost, doubled, past } = check;
  const { creations, payments, notes } = load.writes;
  console.log(`${creations.acknowledged.size} creations, ${payments.acknowledged.size} payments and ${notes.acknowledged.size} notes acknowledged: ${lost.length} lost, ${doubled} doubled
${load.repeated} requests repeated with their key after their answer: ${load.differing} with another answer
${past.acknowledged} writes past HAProxy acknowledged: ${past.lost} lost
refused:`);
  for (const [words, times] of load.refused) console.log(`  ${times} × ${words}`);
}
