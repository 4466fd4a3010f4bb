import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix, resolve } from "node:path";
import { errorCode } from "#contract/process/log.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { markdown } from "../markdown.ts";
import { retiredIn, retiredWords } from "../lint/terms.ts";

const HELP = `npm run house -- [--check] [--list] [--at folder]
Measures the tree: sizes, folders, cycles, imports and names. --list also names what breaks a limit,
--at measures another checkout, --check ends with an error when a limit is broken.`;

/** Product areas; tests, journeys and tools are not product code. */
const AREAS = ["app", "components", "lib", "contract", "service", "scripts", "clients"];
const WITH_FOLDER_LIMITS = [...AREAS, "tools", "e2e"];
const WITHOUT_CYCLES = ["components", "lib", "service"];
const MOST_FILES = 25;

const SUBSCRIPTIONS_PAGE = "app/(dashboard)/[seller]/[mode]/subscriptions/(list)/page.tsx";
const TRANSPORT = "lib/billing/transport.ts";
const INDEX_FOLDERS = ["lib/search-index/", "lib/mirror/"];

const INDEX_TABLE =
  /\bmirror_(change|counted|customer|event|hint|product|round|subscription|word)\b|\b(from|join|into|update) mirror\b/;

const CODE = /\.(ts|tsx|mjs)$/;
const TEST = /\.(test|spec)\.tsx?$/;
/** Whether somebody wrote the file for the product: no test, and no file that a check writes. */
const isProduct = (file: string) =>
  AREAS.some((area) => file.startsWith(`${area}/`)) &&
  !TEST.test(file) &&
  !file.includes("/generated/") &&
  !file.includes("/testing/") &&
  !file.startsWith("scripts/lint/");

interface House {
  files: Map<string, string>;
  /** The imports of each file within the tree; `values` leaves out imports of types. */
  imports: Map<string, { all: string[]; values: string[] }>;
}

function readHouse(root: string): House {
  const files = new Map<string, string>();
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== "node_modules" && entry.name !== "dist") visit(path);
      } else if (CODE.test(entry.name)) files.set(path, readFileSync(join(root, path), "utf8"));
    }
  };
  for (const area of [...WITH_FOLDER_LIMITS, "bench"])
    try {
      visit(area);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    }
  const imports = new Map(
    Array.from(files, ([file, text]) => [file, importsOf(file, text, files)] as const),
  );
  return { files, imports };
}

const IMPORT =
  /(?:^|\n)\s*(import|export)\s+(type\s)?([^"';]*?)\s*(?:from\s*)?["']((?:#|\.)[^"']+)["']|\bimport\(\s*["']((?:#|\.)[^"']+)["']\s*\)/g;

function importsOf(file: string, text: string, files: Map<string, string>) {
  const all: string[] = [];
  const values: string[] = [];
  for (const [, , type, names = "", from, lazy] of text.matchAll(IMPORT)) {
    const specifier = from ?? lazy ?? "";
    const path = specifier.startsWith("#")
      ? specifier.slice(1)
      : posix.join(posix.dirname(file), specifier);
    const target = [path, `${path}.ts`, `${path}.tsx`].find((name) => files.has(name));
    if (!target) continue;
    all.push(target);
    if (!type && !/^\{(\s*type\s+\w+( as \w+)?,?)*\s*\}$/.test(names)) values.push(target);
  }
  return { all, values };
}

/** @returns how many folders hold code directly, by folder */
function folderSizes({ files }: House): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const file of files.keys())
    if (!TEST.test(file)) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  return sizes;
}

/** Import cycles between folders of the same level, including imports of types. */
function folderCycles({ files, imports }: House, area: string): string[] {
  const edges = new Map<string, Map<string, Set<string>>>();
  for (const file of files.keys()) {
    if (!file.startsWith(`${area}/`) || TEST.test(file) || file.includes("/testing/")) continue;
    for (const to of imports.get(file)?.all ?? []) {
      if (!to.startsWith(`${area}/`)) continue;
      const [from, target] = [file.split("/"), to.split("/")];
      let depth = 0;
      while (from[depth] === target[depth] && depth < from.length) depth += 1;
      const parent = from.slice(0, depth).join("/");
      const level = edges.get(parent) ?? new Map<string, Set<string>>();
      edges.set(parent, level);
      const [a, b] = [from[depth] ?? "", target[depth] ?? ""];
      if (a && b && a !== b) level.set(a, (level.get(a) ?? new Set()).add(b));
    }
  }
  return Array.from(edges).flatMap(([parent, level]) =>
    circlesOf(level)
      .filter((circle) => circle.some((name) => !CODE.test(name)))
      .map((circle) => `${parent}: ${circle.join(", ")}`),
  );
}

/** Groups of nodes that can reach each other. */
function circlesOf(edges: Map<string, Set<string>>): string[][] {
  const reach = (start: string) => {
    const seen = new Set<string>();
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const next of edges.get(at) ?? [])
        if (!seen.has(next)) {
          seen.add(next);
          open.push(next);
        }
    return seen;
  };
  const reached = new Map(Array.from(edges.keys(), (name) => [name, reach(name)]));
  const groups: string[][] = [];
  for (const [name, from] of reached) {
    if (!from.has(name) || groups.some((group) => group.includes(name))) continue;
    groups.push([...from].filter((other) => reached.get(other)?.has(name)));
  }
  return groups;
}

/** Files that a page loads (imports of types left out), and the page itself. */
function filesBehind({ imports }: House, page: string): Set<string> {
  const seen = new Set<string>();
  const open = [page];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...(imports.get(at)?.values ?? []));
  }
  return seen;
}

/** Length of the shortest chain of imports between two files, or null. */
function hops({ imports }: House, from: string, to: string): number | null {
  let front = [from];
  const seen = new Set(front);
  for (let steps = 0; front.length > 0; steps += 1) {
    if (front.includes(to)) return steps;
    front = front
      .flatMap((file) => imports.get(file)?.all ?? [])
      .filter((file) => !seen.has(file) && seen.add(file));
  }
  return null;
}

const GATE =
  /\b(requireSeller|requirePerson|requireAccount|currentVisit|sellerOf|openClient|readPerson|requireVisit)\b/;

const EXPORTED =
  /^export (?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
/** File names that Next.js gives a meaning. */
const RESERVED =
  /^(GET|POST|PUT|DELETE|HEAD|metadata|generateMetadata|dynamic|revalidate|viewport|config|register|proxy)$/;

function doubleNames({ files }: House): string[] {
  const homes = new Map<string, string[]>();
  for (const [file, text] of files)
    if (isProduct(file))
      for (const [, name = ""] of text.matchAll(EXPORTED))
        if (!RESERVED.test(name) && !homes.get(name)?.includes(file))
          homes.set(name, [...(homes.get(name) ?? []), file]);
  return Array.from(homes)
    .filter(([, all]) => {
      // Not double: the two programs share only contract/, and the client package nothing, so each needs
      // its own.
      const sides = all.map((file) => /^(service|clients)\//.exec(file)?.[1] ?? "dashboard");
      return sides.some((side, at) => sides.indexOf(side) !== at);
    })
    .map(([name, all]) => `${name}: ${all.join(", ")}`);
}

const percentile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

interface Row {
  name: string;
  is: number | string;
  /** The allowed maximum; a row without it only informs. */
  limit?: number;
  broken?: string[];
}

function measure(root: string): Row[] {
  const house = readHouse(root);
  const { files } = house;
  const product = [...files].filter(([file]) => isProduct(file));
  const linesOf = (text: string) => text.split("\n").length - 1;
  const lines = product.map(([, text]) => linesOf(text)).sort((a, b) => a - b);
  const areas = AREAS.map((area) => {
    const own = product.filter(([file]) => file.startsWith(`${area}/`));
    const sum = own.reduce((total, [, text]) => total + linesOf(text), 0);
    return { name: `${area}: files, lines`, is: `${own.length}, ${sum}` };
  });
  const total = lines.reduce((sum, count) => sum + count, 0);
  const sizes = [...folderSizes(house)].sort(([, a], [, b]) => b - a);
  const large = sizes.filter(([, count]) => count > MOST_FILES);
  const single = sizes.filter(
    ([folder, count]) => count === 1 && /^(lib|components|service)\//.test(folder),
  );
  const cycles = WITHOUT_CYCLES.flatMap((area) => folderCycles(house, area));
  const data = product.filter(([file]) => /^lib\/.*\/data\.ts$/.test(file));
  const ungated = data.filter(([, text]) => !GATE.test(text)).map(([file]) => file);
  const tables = product
    .filter(
      ([file, text]) =>
        !INDEX_FOLDERS.some((folder) => file.startsWith(folder)) && INDEX_TABLE.test(text),
    )
    .map(([file]) => file);
  const behind = filesBehind(house, SUBSCRIPTIONS_PAGE);
  const bar = product
    .map(([file]) => file)
    .find((file) => basename(file) === "subscription-heading.tsx");
  const terms = retiredWords(readFileSync(join(ROOT, "docs/glossary.md"), "utf8"));
  const retired = product.flatMap(([file, text]) => retiredIn(file, text, terms));
  const doubles = doubleNames(house);
  const records = readdirSync(join(root, "docs/decisions")).filter((name) =>
    /^\d{4}-/.test(name),
  );
  const scripts = Object.keys(
    (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object })
      .scripts,
  );
  return [
    ...areas,
    { name: "product files", is: product.length },
    { name: "product lines", is: total },
    {
      name: "lines of a file: median, p95, most",
      is: [percentile(lines, 0.5), percentile(lines, 0.95), lines.at(-1)].join(", "),
    },
    {
      name: `largest folder (${sizes[0]?.[0]})`,
      is: sizes[0]?.[1] ?? 0,
      limit: MOST_FILES,
      broken: large.map(([folder, count]) => `${folder}: ${count}`),
    },
    {
      name: "folders with one file",
      is: single.length,
      limit: 0,
      broken: single.map(([folder]) => folder),
    },
    { name: "folder cycles", is: cycles.length, limit: 0, broken: cycles },
    { name: "data.ts without a guard", is: ungated.length, limit: 0, broken: ungated },
    {
      name: "files outside the search index that name its tables",
      is: tables.length,
      limit: 0,
      broken: tables,
    },
    {
      name: "hops from the subscriptions page to the API",
      is: hops(house, SUBSCRIPTIONS_PAGE, TRANSPORT) ?? "none",
      limit: 4,
    },
    {
      name: "hops from a subscription's buttons to the API",
      is: (bar && hops(house, bar, TRANSPORT)) ?? "none",
      limit: 5,
    },
    { name: "files behind the subscriptions page", is: behind.size, limit: 150 },
    { name: "names exported more than once", is: doubles.length, limit: 0, broken: doubles },
    { name: "retired words", is: retired.length, limit: 0, broken: retired },
    { name: "decision records", is: records.length, limit: 40 },
    { name: "npm scripts", is: scripts.length, limit: 20 },
  ];
}

const isBroken = ({ is, limit }: Row) =>
  limit !== undefined && (typeof is === "string" || is > limit);

async function checkHouse(): Promise<void> {
  const broken = measure(ROOT).filter(isBroken);
  if (broken.length === 0) return;
  const words = broken.flatMap(({ name, is, limit, broken: places = [] }) => [
    `${name}: ${is}, at most ${limit}`,
    ...places.map((place) => `  ${place}`),
  ]);
  throw new CommandFailure(`the tree breaks its limits:\n  ${words.join("\n  ")}`);
}

if (import.meta.main)
  await runCommand(async () => {
    const { values } = readOptions({
      options: {
        check: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        at: { type: "string", default: ROOT },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return console.log(HELP);
    if (values.check) return checkHouse();
    const rows = measure(resolve(values.at));
    console.log(
      markdown([
        ["measure", "is", "limit"],
        ...rows.map(({ name, is, limit }) => [
          name,
          String(is),
          limit === undefined ? "" : String(limit),
        ]),
      ]),
    );
    if (values.list)
      for (const { name, broken = [] } of rows.filter(isBroken))
        console.log(`\n${name}:\n${broken.map((place) => `  ${place}`).join("\n")}`);
  });
