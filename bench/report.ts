import type { Measured } from "./load.ts";

export interface Row extends Measured {
  name: string;
  /** How many subscriptions the seller has. */
  size: number;
  /** Milliseconds of processor time that the service spends on a request. */
  processor?: number;
}

type Figure = "rate" | "p50" | "p95" | "p99" | "processor";

/** The medians over all rounds as a table, and the ratios with their targets. */
export function report(rows: Row[], [small, large]: [number, number]): string {
  const median = (name: string, size: number, figure: Figure) =>
    medianOf(
      rows.filter((row) => row.name === name && row.size === size).map((row) => row[figure]),
    );
  const names = [...new Set(rows.map((row) => row.name))];
  const table = names.flatMap((name) =>
    [small, large]
      .filter((size) => rows.some((row) => row.name === name && row.size === size))
      .map((size) => {
        const figure = (key: Figure, places: number) =>
          median(name, size, key)?.toFixed(places) ?? "–";
        const times = (["p50", "p95", "p99"] as const).map((key) => figure(key, 2));
        return [
          name,
          size.toLocaleString("en"),
          figure("rate", 0),
          ...times,
          figure("processor", 2),
        ];
      }),
  );
  const heads = ["request", "subscriptions", "req/s", "p50 ms", "p95 ms", "p99 ms", "CPU ms"];
  const cost = (name: string, size: number) => 1 / (median(name, size, "rate") ?? Number.NaN);
  return [
    markdown([heads, ...table]),
    "",
    markdown([["ratio", "measured", "target", ""], ...ratios(cost, median, { small, large })]),
  ].join("\n");
}

interface Sizes {
  small: number;
  large: number;
}

function ratios(
  cost: (name: string, size: number) => number,
  median: (name: string, size: number, figure: Figure) => number | undefined,
  { small, large }: Sizes,
): string[][] {
  const most = (name: string, value: number, target: number) =>
    line(name, value, `≤ ${target}`, value <= target);
  const least = (name: string, value: number, target: number) =>
    line(name, value, `≥ ${target}`, value >= target);
  const names = ["list, page 1", "list, deep page", "filtered, page 1", "filtered, deep page"];
  const driver = (size: number) =>
    cost("driver alone, page 1", size) / cost("list, page 1", size);
  const bare = cost("bare route, same bytes", small) / cost("list, page 1", small);
  return [
    ...[...names, "one record", "create"].map((name) =>
      most(`${name}: large / small`, cost(name, large) / cost(name, small), 1.3),
    ),
    ...[small, large].flatMap((size) => [
      most(
        `list: deep / first, ${size}`,
        cost(names[1] ?? "", size) / cost(names[0] ?? "", size),
        1.3,
      ),
      most(
        `filtered: deep / first, ${size}`,
        cost(names[3] ?? "", size) / cost(names[2] ?? "", size),
        1.3,
      ),
      least(`list, page 1: rate / driver's, ${size}`, driver(size), 0.5),
      most(`list, page 1: CPU ms, ${size}`, median(names[0] ?? "", size, "processor") ?? 0, 2),
    ]),
    ["list, page 1: rate / bare route's", bare.toFixed(2), "", ""],
  ];
}

const line = (name: string, value: number, target: string, isMet: boolean) => [
  name,
  value.toFixed(2),
  target,
  isMet ? "met" : "MISSED",
];

function medianOf(values: (number | undefined)[]): number | undefined {
  const sorted = values.filter((value) => value !== undefined).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function markdown(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const text = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [heads = [], ...body] = rows;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [text(heads), rule, ...body.map(text)].join("\n");
}
