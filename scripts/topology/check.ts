import { setTimeout as delay } from "node:timers/promises";
import { markdown } from "../markdown.ts";
import { connectionFigures } from "./connection-figures.ts";
import { lastLook } from "./last-look.ts";
import { openScene, work, type Scene } from "./scene.ts";
import type { Topology } from "./start.ts";
import { kindsOf, percentile, type Outcome } from "./tally.ts";

const STEADY = 10_000;
const OUTAGE = 30_000;
/** So long it takes nginx to try the one that was away again. */
const UNTIL_TRIED = 4_000;
/** So long nothing may fail before the next thing happens. */
const QUIET = 1_500;
const LONGEST_RECOVERY = 15_000;

interface Row {
  name: string;
  asked: number;
  p99: number;
  failed: Outcome[];
  /** Milliseconds from what was done until everything answered again. */
  recovery: number;
  problems: string[];
}

interface Expected {
  /** How many requests may fail, and whether each has to say so in words. */
  failures: "none" | "under way" | "clear";
}

/** Works with it while its processes are ended, killed and taken away. @returns what was wrong */
export async function checkTopology(topology: Topology): Promise<string[]> {
  const scene = await openScene(topology);
  const over = new AbortController();
  const rows: Row[] = [];
  const working = work(scene, over.signal);
  const broken = working.then(
    () => null,
    (error: unknown) => error,
  );
  try {
    const acting = act(scene, (row) => {
      rows.push(row);
      console.log(`${row.name}: ${describe(row)}`);
    });
    const error = await Promise.race([acting.then(() => null), broken]);
    if (error) throw error;
    over.abort();
    await working;
    const problems = rows.flatMap(({ name, problems: all }) =>
      all.map((one) => `${name}: ${one}`),
    );
    printRows(rows);
    problems.push(...(await lastLook(scene)));
    for (const member of topology.members)
      if (member.endedByItself > 0)
        problems.push(`${member.name} ended by itself ${member.endedByItself} times`);
    return problems;
  } finally {
    over.abort();
    await broken;
    await scene.close();
  }
}

async function act(scene: Scene, report: (row: Row) => void) {
  const { topology } = scene;
  const { pair } = topology;
  const once = async (
    name: string,
    expected: Expected,
    action: () => Promise<string[] | void>,
  ) => report(await watch(scene, name, expected, action));

  await once("steady", { failures: "none" }, () => delay(STEADY));
  const programs = topology.members.filter(({ name }) => /dashboard|service/.test(name));
  for (const member of programs)
    await once(`rolled ${member.name}`, { failures: "none" }, async () => {
      const code = await member.end();
      await member.start();
      await delay(UNTIL_TRIED);
      return code === 0 ? [] : [`ended with ${code}`];
    });
  console.log(await connectionFigures(scene));
  await once("nginx reads its file again", { failures: "under way" }, async () =>
    topology.member("nginx").signal("SIGHUP"),
  );
  for (const name of ["dashboard-1", "service-1", "dashboard-worker-1", "service-worker-1"])
    await once(`killed ${name}`, { failures: "under way" }, async () => {
      await topology.member(name).kill();
      await topology.member(name).start();
    });
  await once("killed the replica", { failures: "none" }, async () => {
    pair.kill("replica");
    await pair.startAgain("replica");
  });
  for (const name of ["pgbouncer", "nginx"])
    await once(`killed ${name}`, { failures: "under way" }, async () => {
      await topology.member(name).kill();
      await topology.member(name).start();
    });
  await once("killed the primary", { failures: "under way" }, async () => {
    pair.kill("primary");
    await pair.startAgain("primary");
  });
  await once("PostgreSQL stopped for 30 s", { failures: "clear" }, async () => {
    await pair.primary.close();
    await delay(OUTAGE);
    await pair.startAgain("primary");
  });
  await once("steady again", { failures: "none" }, () => delay(STEADY));
}

async function watch(
  scene: Scene,
  name: string,
  { failures }: Expected,
  action: () => Promise<string[] | void>,
): Promise<Row> {
  const { tally } = scene;
  const phase = tally.begin(name);
  const problems = (await action()) ?? [];
  const back = performance.now();
  while (tally.quietFor < QUIET && performance.now() - back < LONGEST_RECOVERY + QUIET)
    await delay(50);
  const recovery = Math.max(0, performance.now() - back - QUIET);
  await delay(QUIET);
  const { failed } = phase;
  if (failures === "none" && failed.length > 0)
    problems.push(`${failed.length} requests failed`);
  if (recovery > LONGEST_RECOVERY) problems.push("did not recover in time");
  const unclear = failed.filter(({ isClear }) => !isClear);
  if (failures === "clear" && unclear.length > 0)
    problems.push(`${unclear.length} of ${failed.length} failures were not told in words`);
  return {
    name,
    asked: phase.asked,
    p99: percentile(phase.times, 0.99),
    failed,
    recovery,
    problems,
  };
}

const describe = ({ asked, failed, problems }: Row) =>
  `${asked} requests, ${failed.length} failed${failed.length > 0 ? `: ${kindsOf(failed)}` : ""}${
    problems.length > 0 ? ` -- ${problems.join("; ")}` : ""
  }`;

function printRows(rows: Row[]) {
  const cells = rows.map(({ name, asked, p99, failed, recovery }) => [
    name,
    String(asked),
    p99.toFixed(0),
    String(failed.length),
    String(failed.filter(({ isWrite }) => isWrite).length),
    String(failed.filter(({ isClear }) => !isClear).length),
    (recovery / 1_000).toFixed(1),
  ]);
  const heads = ["", "requests", "p99 ms", "failed", "writes", "without words", "well after s"];
  console.log(`\n${markdown([heads, ...cells])}\n`);
}
