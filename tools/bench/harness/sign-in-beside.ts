import { setTimeout as delay } from "node:timers/promises";
import { summarizeTimes, type LoadMeasurement } from "./load.ts";
import { callAtRate } from "./at-rate.ts";
import { createMembers, type Person } from "./person.ts";
import type { Product } from "./product.ts";
import { median } from "./trend.ts";

export const READS_PER_SECOND = 10;
const READERS = 5;
/** Number of concurrent sign-ins; the dashboard allows at most sixty of one network. */
const AT_ONCE = 10;

interface BesideOrder {
  rounds: number;
  seconds: number;
  /** The number of sign-ins per second. */
  rate: number;
}

/** Times in milliseconds of the readers' pages, without and with sign-ins, and of the sign-ins. */
export interface ReadsDuringSignIns {
  alone: LoadMeasurement;
  beside: LoadMeasurement;
  /** The ratio of the p95s: the median over the rounds. */
  ratio: number;
  signIns: LoadMeasurement;
}

/** Measures readers at a constant rate, alternately with and without concurrent sign-ins. */
export async function measureReadsDuringSignIns(
  product: Product,
  { rounds, seconds, rate }: BesideOrder,
): Promise<ReadsDuringSignIns> {
  const { pool, owner, dashboard, subject } = product;
  const hire = (count: number) =>
    createMembers(pool, owner, { count, role: "viewer", url: dashboard.url });
  // Each person signs in about every two seconds.
  const [readers, others] = [await hire(READERS), await hire(rate * 2)];
  await signInAll([...readers, ...others]);
  const paths = ["", "/subscriptions", `/subscriptions/${subject.ids[0]}`];
  const read = async (times: number[]) =>
    callAtRate({ rate: READS_PER_SECOND, seconds }, async (at) => {
      const reader = of(readers, at);
      await timed(times, () => reader.read(reader.home + of(paths, at)));
    });
  const signIns: number[] = [];
  const signIn = () =>
    callAtRate({ rate, seconds }, async (at) => {
      // The start is delayed at random, because otherwise every page would start together with a
      // sign-in.
      await delay(Math.random() * (1_000 / rate));
      await timed(signIns, () => of(others, at).signIn());
    });

  await read([]);
  const found: { alone: number[]; beside: number[] }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const times = { alone: [] as number[], beside: [] as number[] };
    const turns = [
      () => read(times.alone),
      async () => {
        await Promise.all([read(times.beside), signIn()]);
      },
    ];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    found.push(times);
  }
  const all = (kind: "alone" | "beside") =>
    summarizeTimes(
      found.flatMap((times) => times[kind]),
      rounds * seconds * 1_000,
    );
  return {
    alone: all("alone"),
    beside: all("beside"),
    ratio: median(
      found.map(
        ({ alone, beside }) => summarizeTimes(beside, 1).p95 / summarizeTimes(alone, 1).p95,
      ),
    ),
    signIns: summarizeTimes(signIns, rounds * seconds * 1_000),
  };
}

async function signInAll(people: Person[]) {
  for (let at = 0; at < people.length; at += AT_ONCE)
    await Promise.all(people.slice(at, at + AT_ONCE).map((person) => person.signIn()));
}

function of<Each>(all: Each[], at: number): Each {
  return all[at % all.length] as Each;
}

async function timed(times: number[], work: () => Promise<unknown>) {
  const begun = performance.now();
  await work();
  times.push(performance.now() - begun);
}
