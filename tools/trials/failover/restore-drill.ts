import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { FailoverLoad } from "./load.ts";
import type { Programs } from "./programs.ts";

const STEADY = 10_000;

/**
 * Works under load, makes a base backup, goes on, chooses a moment, goes on, loses every machine and
 * restores both databases to the moment; then works on. @returns the problems
 */
export async function drillRestore(cluster: Cluster, programs: Programs): Promise<string[]> {
  const { service, dashboard, processes } = programs;
  const databases = { dashboard: cluster.url("dashboard"), service: cluster.url("service") };
  const load = await FailoverLoad.open({ service, dashboard, databases });
  await using closing = new AsyncDisposableStack();
  closing.defer(() => load.close());
  const machine = await cluster.leader();
  const moment = await load.writeWhile(async () => {
    await delay(STEADY);
    console.log(`base backup under load: ${await secondsOf(() => cluster.backUp())} s`);
    await delay(STEADY);
    const chosen = new Date();
    await delay(STEADY);
    return chosen;
  });
  await cluster.waitUntilArchived();
  const before = load.countAcknowledged(moment.getTime());
  for (const managed of processes) await managed.end();
  const whole = await secondsOf(async () => {
    const { filled } = await cluster.loseAndRestore(moment, machine);
    console.log(`restored to ${moment.toISOString()} on one machine: ${filled.toFixed(1)} s`);
    const ready = await secondsOf(async () => {
      for (const managed of processes) await managed.start();
    });
    console.log(`programs ready: ${ready} s more`);
    await cluster.waitUntilWhole();
  });
  console.log(`all machines lost, until all three follow again: ${whole} s`);
  const { lost, doubled, late } = await load.check(moment.getTime());
  console.log(
    `acknowledged until then ${before}: ${lost.length} lost, ${doubled} doubled; acknowledged later ${load.countAcknowledged() - before}: ${late} of those sent after it are there`,
  );
  load.forgetAfter(moment.getTime());
  await load.writeWhile(() => delay(STEADY));
  const after = await load.check();
  await load.waitForList();
  const { missing } = await load.checkDeliveries();
  const wrong = await load.findInconsistencies();
  console.log(
    `${load.countAcknowledged() - before} more writes acknowledged on it: ${after.lost.length} lost, ${after.doubled} doubled, ${missing} payments not delivered, ${wrong.length} inconsistencies`,
  );
  return [
    ...[...lost, ...after.lost].map((how) => `lost: ${how}`),
    ...(late > 0 ? [`${late} writes are there that were sent after the moment`] : []),
    ...(doubled + after.doubled > 0 ? ["writes were done twice"] : []),
    ...(missing > 0 ? [`${missing} payments were never delivered`] : []),
    ...wrong,
  ];
}

async function secondsOf(run: () => Promise<unknown>): Promise<string> {
  const begun = performance.now();
  await run();
  return ((performance.now() - begun) / 1_000).toFixed(1);
}
