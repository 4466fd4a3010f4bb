import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildDashboard } from "#scripts/build.ts";
import { describeParts } from "./bundle-parts.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { markdown } from "../markdown.ts";
import { ROOT } from "#scripts/process/settings.ts";

/** Lists the scripts that a browser loads for each route; written by `next build`. */
const STATS = ".next/diagnostics/route-bundle-stats.json";
/** The allowed size of each route's scripts in KiB, compressed with gzip. */
const BUDGET = join(ROOT, "tools/checks/bundle-budget.json");
/** KiB by which builds of one tree may differ: a page that is over its budget by less is not reported. */
const VARIATION = 0.5;

/** Bytes of a route's scripts. */
export interface RouteSize {
  route: string;
  raw: number;
  gzip: number;
}

type Budget = Record<string, number>;

const inKib = (bytes: number) => bytes / 1024;

/** A sentence for each route over or without a budget, and for each budget without a route. */
export function routesOverBudget(sizes: RouteSize[], budget: Budget): string[] {
  const measured = sizes.flatMap(({ route, gzip }) => {
    const allowed = budget[route];
    if (allowed === undefined) return [`${route} has no budget yet.`];
    const excess = inKib(gzip) - allowed;
    if (excess <= VARIATION) return [];
    const size = inKib(gzip).toFixed(1);
    return [`${route} sends ${size} KiB: ${excess.toFixed(1)} more than its ${allowed}.`];
  });
  const gone = Object.keys(budget)
    .filter((route) => !sizes.some((size) => size.route === route))
    .map((route) => `${route} has a budget, but there is no such page.`);
  return [...measured, ...gone];
}

/** The budget of each route in whole KiB, so that small changes of the code do not change it. */
export const budgetFor = (sizes: RouteSize[]): Budget =>
  Object.fromEntries(sizes.map(({ route, gzip }) => [route, Math.ceil(inKib(gzip))] as const));

function measureRoutes(): RouteSize[] {
  const stats = JSON.parse(readFileSync(join(ROOT, STATS), "utf8")) as {
    route: string;
    firstLoadChunkPaths: string[];
  }[];
  const sizes = new Map<string, { raw: number; gzip: number }>();
  const sizeOf = (file: string) => {
    const known = sizes.get(file);
    if (known) return known;
    const text = readFileSync(join(ROOT, file));
    const size = { raw: text.length, gzip: gzipSync(text).length };
    sizes.set(file, size);
    return size;
  };
  return stats
    .map(({ route, firstLoadChunkPaths }) => {
      const chunks = firstLoadChunkPaths.map(sizeOf);
      const sum = (key: "raw" | "gzip") => chunks.reduce((all, one) => all + one[key], 0);
      return { route, raw: sum("raw"), gzip: sum("gzip") };
    })
    .sort((a, b) => a.route.localeCompare(b.route));
}

function describeRoutes(sizes: RouteSize[], budget: Budget): string {
  const rows = sizes.map(({ route, raw, gzip }) => [
    `\`${route}\``,
    inKib(raw).toFixed(1),
    inKib(gzip).toFixed(1),
    budget[route]?.toFixed(0) ?? "–",
  ]);
  return markdown([["route", "raw KiB", "gzip KiB", "budget"], ...rows]);
}

const readBudget = () => JSON.parse(readFileSync(BUDGET, "utf8")) as Budget;

/** Prints the size of each route's scripts. @throws CommandFailure with `routesOverBudget` */
export function checkBundle(): void {
  const sizes = measureRoutes();
  const budget = readBudget();
  console.log(`\n— scripts of each page\n${describeRoutes(sizes, budget)}`);
  const problems = routesOverBudget(sizes, budget);
  if (problems.length > 0)
    throw new CommandFailure(
      [
        "the scripts are not within their budget (tools/checks/bundle-budget.json):",
        ...problems.map((problem) => `  ${problem}`),
        "'npm run check bundle -- --parts <route>' says what each part of a page costs.",
        "If it is worth that, 'npm run check bundle -- --set' writes the budgets anew; say why in the change.",
      ].join("\n"),
    );
}

const HELP = `npm run check bundle -- [--parts route] [--set]
Builds the dashboard and prints what each page's scripts weigh; fails where that is over the budget.
--parts says what each part of one page costs, --set writes the budgets anew.`;

if (import.meta.main)
  await runCommand(async () => {
    const { values } = readOptions({
      options: {
        parts: { type: "string" },
        set: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return console.log(HELP);
    await buildDashboard();
    if (values.parts !== undefined) {
      const size = measureRoutes().find(({ route }) => route === values.parts);
      if (!size) throw new CommandFailure(`there is no page '${values.parts}'.`);
      console.log(describeParts(size));
      return;
    }
    if (values.set)
      writeFileSync(BUDGET, `${JSON.stringify(budgetFor(measureRoutes()), null, 2)}\n`);
    checkBundle();
  });
