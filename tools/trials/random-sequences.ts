import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { migrateService } from "../../service/db/migrate.ts";
import { startTestService, type TestService } from "../../service/testing/service.ts";
import { CommandFailure, readOptions } from "#scripts/process/command.ts";
import { startPostgres } from "#scripts/database/postgres.ts";

interface Trial<Sequence> {
  name: string;
  help: string;
  arbitrary: fc.Arbitrary<Sequence>;
  /** Opens what one lane of sequences needs beside its service. */
  open: (service: TestService) => Promise<Lane<Sequence>>;
}

interface Lane<Sequence> {
  play: (sequence: Sequence) => Promise<Record<string, number> | void>;
  close?: () => Promise<void>;
}

/** Plays random sequences on a service, as the command line says, and prints what happened. */
export async function runSequences<Sequence>(trial: Trial<Sequence>): Promise<void> {
  process.env.TZ = "UTC";
  const { values, positionals } = readOptions({
    options: { help: { type: "boolean" }, lanes: { type: "string", default: "1" } },
    allowPositionals: true,
  });
  const [count = "10000", seed = String(Date.now() % 1_000_000)] = positionals;
  if (values.help) return console.log(trial.help);
  const isUnderstood =
    /^[1-9]\d{0,7}$/.test(count) && /^\d{1,9}$/.test(seed) && /^[1-9]$/.test(values.lanes);
  if (!isUnderstood)
    throw new CommandFailure(
      "the arguments are: number of sequences, seed, and --lanes 1 to 9.",
    );
  console.log(`seed ${seed}`);
  const directory = await mkdtemp(join(tmpdir(), `duebook-${trial.name}-`));
  const server = await startPostgres(directory, { durable: false });
  try {
    await play(trial, server, {
      sequences: Number(count),
      seed: Number(seed),
      lanes: Number(values.lanes),
    });
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function play<Sequence>(
  { arbitrary, open }: Trial<Sequence>,
  server: Awaited<ReturnType<typeof startPostgres>>,
  { sequences, seed, lanes }: { sequences: number; seed: number; lanes: number },
) {
  const began = performance.now();
  const counts = new Map<string, number>();
  let played = 0;
  let failing: number | null = null;
  const report = () => {
    const seconds = (performance.now() - began) / 1_000;
    const speed = (played / seconds).toFixed(1);
    console.log(`${played} of ${sequences} in ${Math.round(seconds)} s, ${speed} a second`);
  };
  const playLane = async (lane: number) => {
    // Each lane has its own database, because the workers of one database share all of its work.
    await server.ensureDatabase(`trial_${lane}`);
    const databaseUrl = server.url(`trial_${lane}`);
    await migrateService(databaseUrl);
    const service = await startTestService(databaseUrl);
    const opened = await open(service);
    const property = fc.asyncProperty(arbitrary, async (one) => {
      // After a failure the other lanes play nothing, while the failing sequence is made shorter.
      if (failing !== null && failing !== lane) return;
      const happened = await opened.play(one).catch((error: unknown) => {
        failing ??= lane;
        throw error;
      });
      for (const [what, times] of Object.entries(happened ?? {}))
        counts.set(what, (counts.get(what) ?? 0) + times);
      played += 1;
      if (played % 500 === 0) report();
    });
    const numRuns = Math.floor(sequences / lanes) + (lane < sequences % lanes ? 1 : 0);
    try {
      await fc.assert(property, { numRuns, seed: seed + lane });
    } finally {
      await opened.close?.();
      await service.close();
    }
  };
  const ended = await Promise.allSettled(
    Array.from({ length: lanes }, (_, lane) => playLane(lane)),
  );
  for (const lane of ended) if (lane.status === "rejected") throw lane.reason;
  report();
  for (const what of [...counts.keys()].sort()) console.log(`${what}: ${counts.get(what)}`);
}
