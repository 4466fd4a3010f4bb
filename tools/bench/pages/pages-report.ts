import { markdown } from "../../markdown.ts";
import { PRESETS, type PageMeasurement, type Preset } from "./pages-lighthouse.ts";
import { medianOf } from "../harness/report.ts";

export interface PageRow extends PageMeasurement {
  name: string;
  preset: Preset;
}

export interface PressRow {
  name: string;
  preset: Preset;
  /** Milliseconds until the next frame. */
  duration: number;
}

const AIMS: Record<Preset, number> = { desktop: 98, mobile: 95 };
const PRESS_AIM = 100;

type Figure = Exclude<keyof PageMeasurement, "findings">;
const COLUMNS: [head: string, figure: Figure, show: (value: number) => string][] = [
  ["performance", "performance", (value) => value.toFixed(0)],
  ["accessibility", "accessibility", (value) => value.toFixed(0)],
  ["best practices", "best-practices", (value) => value.toFixed(0)],
  ["FCP s", "fcp", (value) => (value / 1000).toFixed(2)],
  ["LCP s", "lcp", (value) => (value / 1000).toFixed(2)],
  ["TBT ms", "tbt", (value) => value.toFixed(0)],
  ["CLS", "cls", (value) => value.toFixed(3)],
  ["speed index s", "si", (value) => (value / 1000).toFixed(2)],
  ["KiB", "bytes", (value) => (value / 1024).toFixed(0)],
];

/** Medians of the runs as tables, with the audits that lower a score. */
export function reportPages(
  { index, slowdown }: { index: number; slowdown: number },
  pages: PageRow[],
  presses: PressRow[],
): string {
  const findings = [...new Set(pages.flatMap((row) => row.findings))];
  return [
    `Lighthouse's index of this machine is ${index.toFixed(0)}: a phone is taken to be ${slowdown.toFixed(1)} times slower.`,
    ...PRESETS.map((preset) => pageTable(pages, preset)),
    ...(presses.length > 0 ? [pressTable(presses)] : []),
    ...findings.map((finding) => `- ${finding}`),
  ].join("\n\n");
}

function pageTable(pages: PageRow[], preset: Preset): string {
  const names = [...new Set(pages.map((row) => row.name))];
  const rows = names.map((name) => {
    const own = pages.filter((row) => row.name === name && row.preset === preset);
    const middle = (figure: Figure) => medianOf(own.map((row) => row[figure]));
    const isMet =
      middle("performance") >= AIMS[preset] &&
      middle("accessibility") === 100 &&
      middle("best-practices") === 100 &&
      middle("cls") === 0;
    return [
      name,
      ...COLUMNS.map(([, figure, show]) => show(middle(figure))),
      isMet ? "met" : "MISSED",
    ];
  });
  return markdown([[preset, ...COLUMNS.map(([head]) => head), ""], ...rows]);
}

function pressTable(presses: PressRow[]): string {
  const names = [...new Set(presses.map((row) => row.name))];
  const rows = names.map((name) => {
    const worst = PRESETS.map((preset) => {
      const own = presses.filter((row) => row.name === name && row.preset === preset);
      return medianOf(own.map((row) => row.duration));
    });
    const isMet = worst.every((duration) => duration <= PRESS_AIM);
    return [name, ...worst.map((duration) => duration.toFixed(0)), isMet ? "met" : "MISSED"];
  });
  return markdown([["press, to the next frame", "desktop ms", "phone ms", ""], ...rows]);
}
