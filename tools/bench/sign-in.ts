import { hashPassword } from "#lib/auth/credentials/password.ts";
import { signIn } from "#lib/auth/sign-in/sign-in.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { waitForIndex } from "./dashboard/dashboard-sellers.ts";
import { startProduct, type Product } from "./harness/product.ts";
import { medianOf } from "./harness/report.ts";
import {
  measureReadsDuringSignIns,
  READS_PER_SECOND,
  type ReadsDuringSignIns,
} from "./harness/sign-in-beside.ts";

const HELP = `npm run bench sign-in -- [--tries N] [--rounds N] [--seconds N] [--rate N]
Sends wrong passwords for a known and an unknown email in turns: the times must not show which account
exists. Then times page reads with and without N sign-ins a second beside them, in turns of N seconds.
Needs a build.`;
const SUBSCRIPTIONS = 1_000;
const NAMES = ["known", "unknown"] as const;
const KNOWN = "known@example.com";
const [LEAST, MOST] = [0.9, 1.1];
const BESIDE_AIM = 1.2;

const { values } = readOptions({
  options: {
    tries: { type: "string", default: "200" },
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "10" },
    rate: { type: "string", default: "20" },
    help: { type: "boolean", default: false },
  },
});

function positive(name: "tries" | "rounds" | "seconds" | "rate"): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value > 0 && value <= 1_000) return value;
  throw new CommandFailure(`--${name} takes a whole number up to 1000.`);
}

type Times = Record<(typeof NAMES)[number], number[]>;

async function measureRefusals({ pool }: Product, tries: number): Promise<Times> {
  await pool.query("insert into app_user (email, name, password_hash) values ($1, '', $2)", [
    KNOWN,
    await hashPassword("the right password"),
  ]);
  const times: Times = { known: [], unknown: [] };
  for (let at = 0; at < tries; at += 1)
    for (const who of at % 2 === 0 ? NAMES : NAMES.toReversed())
      times[who].push(
        await timeRefusal(pool, who === "known" ? KNOWN : `nobody-${at}@example.com`, at),
      );
  return times;
}

/** Times a refused sign-in. @returns milliseconds */
async function timeRefusal(pool: Product["pool"], email: string, at: number) {
  const visit = {
    address: "203.0.113.7",
    user_agent: null,
    device: null,
    challenge: null,
    session: null,
  };
  // Two hours between attempts, so that no throttling delay is measured.
  const now = new Date(Date.UTC(2026, 0, 1, at * 2));
  const begun = performance.now();
  const outcome = await signIn(pool, { email, password: "no" }, visit, now);
  if (outcome.kind !== "refused")
    throw new Error(`the sign-in was not refused but ${outcome.kind}`);
  return performance.now() - begun;
}

function report(times: Times, { alone, beside, ratio, signIns }: ReadsDuringSignIns): string {
  const [known, unknown] = [medianOf(times.known), medianOf(times.unknown)];
  const told = known / unknown;
  const met = (isMet: boolean) => (isMet ? "met" : "MISSED");
  return [
    `refusing a known email     ${known.toFixed(1)} ms (median of ${times.known.length})`,
    `refusing an unknown email  ${unknown.toFixed(1)} ms`,
    `ratio                      ${told.toFixed(3)}, aim ${LEAST} to ${MOST}: ${met(told >= LEAST && told <= MOST)}`,
    `pages, nobody signs in     p50 ${alone.p50.toFixed(1)} ms, p95 ${alone.p95.toFixed(1)} ms (${READS_PER_SECOND} a second, ${alone.requests} in all)`,
    `pages beside sign-ins      p50 ${beside.p50.toFixed(1)} ms, p95 ${beside.p95.toFixed(1)} ms (${signIns.rate.toFixed(1)} sign-ins a second, each p50 ${signIns.p50.toFixed(0)} ms, p95 ${signIns.p95.toFixed(0)} ms)`,
    `ratio of p95               ${ratio.toFixed(2)}, aim ≤ ${BESIDE_AIM}: ${met(ratio <= BESIDE_AIM)}`,
  ].join("\n");
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const tries = positive("tries");
  const order = {
    rounds: positive("rounds"),
    seconds: positive("seconds"),
    rate: positive("rate"),
  };
  const product = await startProduct({ subscriptions: SUBSCRIPTIONS });
  try {
    await waitForIndex(product, 1);
    const times = await measureRefusals(product, tries);
    console.log(report(times, await measureReadsDuringSignIns(product, order)));
  } finally {
    await product.close();
  }
});
