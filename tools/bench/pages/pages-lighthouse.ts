import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext } from "@playwright/test";
import { CommandFailure } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { medianOf } from "../harness/report.ts";

const FOLDER = join(ROOT, "tools/bench/pages/lighthouse");

export const PRESETS = ["desktop", "mobile"] as const;
export type Preset = (typeof PRESETS)[number];

const CATEGORIES = ["performance", "accessibility", "best-practices"] as const;
const METRICS = {
  fcp: "first-contentful-paint",
  lcp: "largest-contentful-paint",
  tbt: "total-blocking-time",
  cls: "cumulative-layout-shift",
  si: "speed-index",
  bytes: "total-byte-weight",
} as const;

/** Scores of 0 to 100, milliseconds, bytes, and the texts of the audits that lower a score. */
export type PageMeasurement = Record<
  (typeof CATEGORIES)[number] | keyof typeof METRICS,
  number
> & {
  findings: string[];
};

interface Report {
  runtimeError?: { message: string };
  categories: Record<string, { score: number | null; auditRefs: { id: string }[] }>;
  audits: Record<string, { title: string; score: number | null; numericValue?: number }>;
}

interface Lighthouse {
  default: (
    url: string,
    flags: Record<string, unknown>,
    config?: object,
  ) => Promise<{ lhr: Report } | undefined>;
  desktopConfig: object;
}

/** Loads Lighthouse, and installs it first if needed. @throws CommandFailure if that fails */
export async function loadLighthouse(): Promise<Lighthouse> {
  const entry = join(FOLDER, "node_modules/lighthouse/core/index.js");
  if (!existsSync(entry)) {
    console.log("Installing Lighthouse …");
    const ran = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], {
      cwd: FOLDER,
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    });
    if (ran.status !== 0) throw new CommandFailure("Lighthouse could not be installed.");
  }
  return (await import(entry)) as Lighthouse;
}

/** Speed of the browser on this machine by Lighthouse's benchmark: the median of five. */
export async function measureMachine(context: BrowserContext): Promise<number> {
  const { pageFunctions } = (await import(
    join(FOLDER, "node_modules/lighthouse/core/lib/page-functions.js")
  )) as { pageFunctions: { computeBenchmarkIndex: () => number } };
  const page = await context.newPage();
  const indices: number[] = [];
  for (let time = 0; time < 5; time += 1)
    indices.push(await page.evaluate(pageFunctions.computeBenchmarkIndex));
  await page.close();
  return medianOf(indices);
}

const DEFAULT_SLOWDOWN = 4;
/**
 * How many times slower Lighthouse's phone is than a machine with this benchmark index, by
 * Lighthouse's calculator.
 */
const SLOWDOWNS = [
  [150, 1],
  [800, 2],
  [1_300, 3],
  [1_533, DEFAULT_SLOWDOWN],
] as const;

/**
 * How much to slow this machine down so that it equals the same phone everywhere, at most
 * Lighthouse's default, which is meant for a fast machine. See
 * lighthouse-cpu-throttling-calculator.vercel.app, which its docs/throttling.md refers to.
 */
export function cpuSlowdownOf(index: number): number {
  const after = SLOWDOWNS.findIndex(([least]) => index < least);
  if (after === 0) return 1;
  const [from, to] = [SLOWDOWNS[after - 1], SLOWDOWNS[after]];
  if (!from || !to) return DEFAULT_SLOWDOWN;
  return from[1] + ((index - from[0]) / (to[0] - from[0])) * (to[1] - from[1]);
}

interface Order {
  url: string;
  port: number;
  preset: Preset;
  /** How many times slower a phone is than this machine. */
  slowdown: number;
  /** The file for the whole report; null for none. */
  report: string | null;
}

/** Loads a page once in the browser on `port`, with its present cookies. */
export async function measurePage(
  lighthouse: Lighthouse,
  order: Order,
): Promise<PageMeasurement> {
  const { url, report: file } = order;
  // A busy machine sometimes loses the start of a trace, so it is tried a second time.
  const report = (await load(lighthouse, order)) ?? (await load(lighthouse, order));
  if (!report) throw new CommandFailure(`${url} could not be measured.`);
  if (file) await writeFile(file, JSON.stringify(report));
  const score = (name: string) => Math.round((report.categories[name]?.score ?? 0) * 100);
  const value = (id: string) => report.audits[id]?.numericValue ?? Number.NaN;
  return {
    performance: score("performance"),
    accessibility: score("accessibility"),
    "best-practices": score("best-practices"),
    fcp: value(METRICS.fcp),
    lcp: value(METRICS.lcp),
    tbt: value(METRICS.tbt),
    cls: value(METRICS.cls),
    si: value(METRICS.si),
    bytes: value(METRICS.bytes),
    findings: findingsOf(report),
  };
}

async function load(lighthouse: Lighthouse, { url, port, preset, slowdown }: Order) {
  const throttling = preset === "mobile" ? { cpuSlowdownMultiplier: slowdown } : {};
  const ran = await lighthouse.default(
    url,
    { port, onlyCategories: CATEGORIES, logLevel: "error", throttling },
    preset === "desktop" ? lighthouse.desktopConfig : undefined,
  );
  if (!ran?.lhr.runtimeError) return ran?.lhr ?? null;
  console.error(`${url}: ${ran.lhr.runtimeError.message}`);
  return null;
}

/** Texts of the audits that lower the score of accessibility or of best practices. */
function findingsOf({ categories, audits }: Report): string[] {
  const counted = CATEGORIES.slice(1).flatMap((name) => categories[name]?.auditRefs ?? []);
  return counted.flatMap(({ id }) => {
    const audit = audits[id];
    return audit?.score !== null && audit && audit.score < 1 ? [`${id}: ${audit.title}`] : [];
  });
}
