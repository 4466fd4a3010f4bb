import { setTimeout as delay } from "node:timers/promises";
import { ROOT } from "#scripts/process/settings.ts";
import { markdown } from "../../markdown.ts";
import { connectionStatistics } from "./connection-statistics.ts";
import { checkAfterLoad } from "./final-check.ts";
import { unexpectedFailures, type ExpectedFailures } from "./expected-failures.ts";
import {
  startRun,
  MAX_CONCURRENT_REQUESTS,
  runClients,
  type TopologyRun,
} from "./topology-run.ts";
import type { Topology } from "./start.ts";
import { summarizeFailures, percentile, QUIET_MS, type LogPhase } from "./outcome-log.ts";

const STEADY = 10_000;
const OUTAGE = 30_000;
/** Milliseconds within which nginx tries a failed server again. */
const UNTIL_TRIED = 4_000;
const LONGEST_RECOVERY = 15_000;

interface Step {
  name: string;
  expected: ExpectedFailures;
  /** The intended duration of the step in milliseconds. */
  lasts?: number;
}

interface Row extends Step {
  phase: LogPhase;
  /** Milliseconds from the start of the action until all requests succeed again. */
  recovery: number;
  problems: string[];
}

/** Sends requests while processes are stopped and killed. @returns the problems */
export async function checkTopology(topology: Topology): Promise<string[]> {
  const run = await startRun(topology);
  const over = new AbortController();
  const rows: Row[] = [];
  const working = runClients(run, over.signal);
  const broken = working.then(
    () => null,
    (error: unknown) => error,
  );
  try {
    const acting = act(run, (row) => {
      rows.push(row);
      console.log(`${row.name}: ${describe(row)}`);
    });
    const error = await Promise.race([acting.then(() => null), broken]);
    if (error) throw error;
    over.abort();
    // Waits for requests that still hang, because they count too.
    await working;
    const end = { name: "final check", phase: run.outcomeLog.begin("final check") };
    const finalProblems = await checkAfterLoad(run);
    rows.push({ ...end, expected: "none", recovery: 0, problems: finalProblems });
    printRows(rows);
    const problems = rows.flatMap((row) => problemsOf(row).map((one) => `${row.name}: ${one}`));
    for (const managed of topology.processes)
      if (managed.unexpectedExits > 0)
        problems.push(`${managed.name} exited unexpectedly ${managed.unexpectedExits} times`);
    return problems;
  } finally {
    over.abort();
    await broken;
    await run.close();
  }
}

async function act(run: TopologyRun, report: (row: Row) => void) {
  const { topology } = run;
  const { pair } = topology;
  const once = async (step: Step, action: () => Promise<string[] | void>) =>
    report(await watch(run, step, action));

  const steady = { expected: "none", lasts: STEADY } as const;
  await once({ name: "steady", ...steady }, () => delay(STEADY));
  const programs = topology.processes.filter(({ name }) => /dashboard|service/.test(name));
  if (programs.some(({ root }) => root !== ROOT))
    await once({ name: "migrated", expected: "none" }, () => topology.migrate());
  for (const managed of programs)
    await once(
      { name: `rolled ${managed.name}`, expected: "none", lasts: UNTIL_TRIED },
      async () => {
        const code = await managed.end();
        managed.root = ROOT;
        await managed.start();
        await delay(UNTIL_TRIED);
        return code === 0 ? [] : [`ended with ${code}`];
      },
    );
  await once({ name: "connections", expected: "none" }, async () => {
    const { words, problems } = await connectionStatistics(run);
    console.log(words);
    return problems;
  });
  await once({ name: "nginx reads its file again", expected: "under way" }, async () =>
    topology.processNamed("nginx").signal("SIGHUP"),
  );
  const killed = async (name: string, expected: ExpectedFailures) =>
    once({ name: `killed ${name}`, expected }, async () => {
      await topology.processNamed(name).kill();
      await topology.processNamed(name).start();
    });
  for (const name of ["dashboard-1", "service-1"]) await killed(name, "under way");
  for (const name of ["dashboard-worker-1", "service-worker-1"]) await killed(name, "none");
  await once({ name: "killed the replica", expected: "none" }, async () => {
    pair.kill("replica");
    await pair.startAgain("replica");
  });
  await killed("pgbouncer", "clear");
  await killed("nginx", "under way");
  await once({ name: "killed the primary", expected: "clear" }, async () => {
    pair.kill("primary");
    await pair.startAgain("primary");
  });
  const outage = {
    name: "PostgreSQL stopped for 30 s",
    expected: "clear",
    lasts: OUTAGE,
  } as const;
  await once(outage, async () => {
    await pair.primary.close();
    await delay(OUTAGE);
    await pair.startAgain("primary");
  });
  await once({ name: "steady again", ...steady }, () => delay(STEADY));
}

async function watch(
  { outcomeLog }: TopologyRun,
  step: Step,
  action: () => Promise<string[] | void>,
): Promise<Row> {
  const phase = outcomeLog.begin(step.name);
  const begun = performance.now();
  const longest = LONGEST_RECOVERY + (step.lasts ?? 0);
  const problems = (await action()) ?? [];
  const done = performance.now();
  while (!outcomeLog.isQuiet && performance.now() - done < longest) await delay(50);
  if (!outcomeLog.isQuiet) problems.push("requests keep hanging or failing");
  const recovery = Math.max(0, outcomeLog.lastFailureAt - begun);
  if (recovery > longest)
    problems.push(`recovered only after ${(recovery / 1_000).toFixed(1)} s`);
  await delay(QUIET_MS);
  return { ...step, phase, recovery, problems };
}

/** The problems so far; failures until the next step begins are added. */
const problemsOf = ({ expected, phase, problems }: Row) => [
  ...problems,
  ...unexpectedFailures(expected, phase.failed, MAX_CONCURRENT_REQUESTS),
];

function describe(row: Row): string {
  const { asked, failed } = row.phase;
  const problems = problemsOf(row);
  return `${asked} requests, ${failed.length} failed${failed.length > 0 ? `: ${summarizeFailures(failed)}` : ""}${
    problems.length > 0 ? ` -- ${problems.join("; ")}` : ""
  }`;
}

function printRows(rows: Row[]) {
  const cells = rows.map(({ name, phase: { asked, times, failed }, recovery }) => [
    name,
    String(asked),
    percentile(times, 0.99).toFixed(0),
    String(failed.length),
    String(failed.filter(({ isWrite }) => isWrite).length),
    String(failed.filter(({ isClear }) => !isClear).length),
    (recovery / 1_000).toFixed(1),
  ]);
  const heads = [
    "",
    "requests",
    "p99 ms",
    "failed",
    "writes",
    "without message",
    "recovered after s",
  ];
  console.log(`\n${markdown([heads, ...cells])}\n`);
}
