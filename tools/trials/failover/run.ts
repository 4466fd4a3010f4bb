import { setTimeout as delay } from "node:timers/promises";
import { CommandFailure } from "#scripts/process/command.ts";
import { markdown } from "../../markdown.ts";
import { waitUntil } from "../faults/wait-until.ts";
import { percentile } from "../topology/outcome-log.ts";
import type { Cluster } from "./cluster.ts";
import { DirectWriter } from "./direct-writer.ts";
import { FAILOVER_KINDS } from "./kinds.ts";
import { FailoverLoad, type LoadCheck } from "./load.ts";
import type { Programs } from "./programs.ts";

const STEADY = 5_000;
const AFTERWARDS = 3_000;

interface Round {
  kind: string;
  /** The longest time without an acknowledged write, in seconds. */
  gap: number;
  /** Seconds from the end of the fault until all three machines follow again. */
  whole: number;
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
        const found = await findProblems(load, direct);
        problems.push(...found.map((problem) => `${kind}, round ${round}: ${problem}`));
        console.log(
          `${kind}, round ${round}: no acknowledged write for ${outcome.gap.toFixed(1)} s, whole ${outcome.whole.toFixed(1)} s after it ended${found.length > 0 ? ` -- ${found.join("; ")}` : ""}`,
        );
      }
  } finally {
    over.abort();
    await working;
  }
  problems.push(...(await findProblems(load, direct)));
  await report(done, load, direct);
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
  await delay(AFTERWARDS);
  return { kind, gap: load.longestGap, whole };
}

async function findProblems(load: FailoverLoad, direct: DirectWriter): Promise<string[]> {
  const { lost, doubled, differing, past } = await checkWrites(load, direct);
  return [
    ...(lost.length > 0
      ? [`${lost.length} acknowledged writes are lost: ${lost.slice(0, 5).join("; ")}`]
      : []),
    ...(doubled > 0 ? [`${doubled} writes were done twice`] : []),
    ...(differing > 0 ? [`${differing} repeated requests got another answer`] : []),
    ...(past.lost > 0 ? [`${past.lost} writes were accepted by a former primary`] : []),
    ...load.wordless.map((words) => `refused without words or Retry-After: ${words}`),
  ];
}

/** Looks for all writes, again where the database goes away meanwhile. */
async function checkWrites(load: FailoverLoad, direct: DirectWriter) {
  const checks: (LoadCheck & { past: Awaited<ReturnType<DirectWriter["check"]>> })[] = [];
  await waitUntil("the comparison", async () => {
    checks.push({ ...(await load.check()), past: await direct.check() });
    return true;
  });
  const [check] = checks;
  if (!check) throw new CommandFailure("nothing was compared");
  return check;
}

async function report(done: readonly Round[], load: FailoverLoad, direct: DirectWriter) {
  const rows = [...Map.groupBy(done, ({ kind }) => kind)].map(([kind, all]) => {
    const gaps = all.map(({ gap }) => gap);
    const wholes = all.map(({ whole }) => whole);
    return [
      FAILOVER_KINDS[kind]?.does ?? kind,
      String(all.length),
      percentile(gaps, 0.5).toFixed(1),
      Math.max(...gaps).toFixed(1),
      Math.max(...wholes).toFixed(1),
    ];
  });
  const heads = ["fault", "rounds", "no write for s, p50", "worst", "whole after s, worst"];
  console.log(`\n${markdown([heads, ...rows])}\n`);
  const { acknowledged, lost, doubled, repeated, differing, past } = await checkWrites(
    load,
    direct,
  );
  const { creations, payments, notes } = acknowledged;
  console.log(`${creations} creations, ${payments} payments and ${notes} notes acknowledged: ${lost.length} lost, ${doubled} doubled
${repeated} requests repeated with their key after their answer: ${differing} with another answer
${past.acknowledged} writes past HAProxy acknowledged: ${past.lost} lost
refused:`);
  for (const [words, times] of load.refused) console.log(`  ${times} × ${words}`);
}
