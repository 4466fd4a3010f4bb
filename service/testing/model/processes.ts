import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { openPool } from "../../db/database.ts";
import { sweepLifecycle } from "../../lifecycle/sweep.ts";
import { Inbox } from "../inbox.ts";
import { ProcessFleet } from "../processes.ts";
import { openClient } from "../remote.ts";
import { arbitrarySequence, type ActionSequence } from "./actions.ts";
import { playSequence } from "./play.ts";
import { sandboxClockControl } from "./time.ts";

interface Options {
  databaseUrl: string;
  processes: number;
  sequences: number;
  lanes: number;
  seed: number;
  onPlayed?: () => void;
}

/**
 * Plays sequences on several processes over one database: each request goes to any of the
 * services, and sweeps run more often than the workers would run them.
 * @throws if they and the model disagree, or an event was not delivered unchanged
 */
export async function playSequencesOnProcesses(options: Options): Promise<void> {
  const { databaseUrl, processes } = options;
  const fleet = new ProcessFleet(databaseUrl, [
    ...Array.from({ length: processes }, () => "service" as const),
    ...Array.from({ length: processes }, () => "worker" as const),
  ]);
  const pool = openPool(databaseUrl);
  const inbox = await Inbox.open();
  const over = new AbortController();
  try {
    await fleet.ready();
    const sweeping = [1, 2].map(() => sweepUntil(over.signal, pool));
    const client = openClient(fleet, pool);
    const time = sandboxClockControl(inbox);
    await inLanes(options, (one) => playSequence(client, time, one)).finally(() =>
      over.abort(),
    );
    await Promise.all(sweeping);
    const problems = await inbox.check(client);
    if (problems.length > 0) throw new Error(problems.slice(0, 12).join("\n"));
  } finally {
    over.abort();
    await fleet.close();
    await inbox.close();
    await pool.end();
  }
}

async function sweepUntil(signal: AbortSignal, pool: Parameters<typeof openClient>[1]) {
  while (!signal.aborted) {
    await sweepLifecycle({ pool, now: () => new Date() });
    await delay(5);
  }
}

async function inLanes(
  { sequences, lanes, seed, onPlayed }: Options,
  playOne: (one: ActionSequence) => Promise<void>,
) {
  const property = fc.asyncProperty(arbitrarySequence, async (one) => {
    await playOne(one);
    onPlayed?.();
  });
  const numRuns = Math.ceil(sequences / lanes);
  const ended = await Promise.allSettled(
    Array.from({ length: lanes }, (_, lane) =>
      // Timing-dependent failures are not found again by shrinking the sequence.
      fc.assert(property, { numRuns, seed: seed + lane, endOnFailure: true }),
    ),
  );
  for (const lane of ended) if (lane.status === "rejected") throw lane.reason;
}
