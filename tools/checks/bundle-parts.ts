import { spawnSync } from "node:child_process";
import type { RouteSize } from "./bundle.ts";
import { CommandFailure } from "#scripts/process/command.ts";
import { markdown } from "../markdown.ts";
import { ROOT } from "#scripts/process/settings.ts";

/**
 * The parts of a page's scripts. A module belongs to the first part whose pattern matches its path.
 */
const PARTS: [name: string, path: RegExp][] = [
  ["React", /next\/dist\/compiled\/(react|scheduler)/],
  ["Next.js", /node_modules\/(next|@swc\/helpers)\/|^\[turbopack\]/],
  ["TanStack Query", /node_modules\/@tanstack\/(react-)?query/],
  ["TanStack Table", /node_modules\/@tanstack\/|node_modules\/use-sync-external-store/],
  ["react-hook-form", /node_modules\/(react-hook-form|@hookform)/],
  ["zod", /node_modules\/zod/],
  ["Base UI", /node_modules\/(@base-ui|@floating-ui|@babel\/runtime|reselect|tabbable)/],
  ["next-intl", /node_modules\/(next-intl|use-intl|intl-messageformat|@formatjs|icu-minify)/],
  ["other libraries", /node_modules\//],
  ["our words", /messages\//],
  ["our icons", /components\/ui\/icons\.tsx/],
  ["our components: primitives and tables", /components\/(ui|list)\//],
  ["our components: frame", /components\/shell\/|^\[project\]\/app\//],
  ["our components: the page's own", /components\//],
  ["our rules and reads", /(lib|contract)\//],
];
const REST = "glue";

/** Lines of `next analyze export`: a module's share of a script, and scripts that are loaded together. */
type Line =
  | { type: "part"; filename: string; source_path: string; size: number }
  | { type: "group"; kind: string; outputs: string[] }
  | { type: "other" };

// Sent only to browsers without modules, which Duebook does not support.
const POLYFILL = /polyfill-nomodule/;

/** The size of each part of a route's scripts, as a table. Builds the dashboard (30 s). */
export function describeParts({ route, gzip }: RouteSize): string {
  runNext("analyze", "--output", "--snapshot", "bundle");
  const lines = runNext("analyze", "export", "--snapshot", "bundle", "--route", route)
    .split("\n")
    .filter((line) => /^{"type":"(part|group)"/.test(line))
    .map((line) => JSON.parse(line) as Line);
  // Scripts that are loaded only later, such as when a dialog opens, do not count.
  const atOnce = new Set(
    lines.flatMap((line) =>
      line.type === "group" && line.kind !== "async" ? line.outputs.filter(isScript) : [],
    ),
  );
  const sizes = new Map<string, number>();
  for (const line of lines) {
    if (line.type !== "part" || !atOnce.has(line.filename)) continue;
    const { source_path, size } = line;
    if (POLYFILL.test(source_path)) continue;
    const name = PARTS.find(([, path]) => path.test(source_path))?.[0] ?? REST;
    sizes.set(name, (sizes.get(name) ?? 0) + size);
  }
  return tableOf([...sizes], gzip);
}

const isScript = (file: string) => file.startsWith("[client-fs]") && file.endsWith(".js");

/**
 * Scripts are compressed as a whole, so each part gets its share of the page's compressed size. React,
 * which has its own script, differs from its share by 1 %.
 */
function tableOf(sizes: [name: string, raw: number][], gzip: number): string {
  const all = sizes.reduce((sum, [, raw]) => sum + raw, 0);
  const row = (name: string, raw: number) => [
    name,
    (raw / 1024).toFixed(1),
    ((gzip * raw) / all / 1024).toFixed(1),
    `${((100 * raw) / all).toFixed(0)} %`,
  ];
  const rows = sizes.toSorted(([, a], [, b]) => b - a).map(([name, raw]) => row(name, raw));
  return markdown([["part", "raw KiB", "gzip KiB", "share"], ...rows, row("all", all)]);
}

function runNext(...arguments_: string[]): string {
  const ran = spawnSync(process.execPath, ["node_modules/next/dist/bin/next", ...arguments_], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 512 * 1024 * 1024,
    env: { ...process.env, TZ: "UTC", NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
  });
  if (ran.status !== 0)
    throw new CommandFailure(`the scripts could not be analysed:\n${ran.stderr}`);
  return ran.stdout;
}
