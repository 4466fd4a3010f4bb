import { cn } from "#lib/cn.ts";
import { Specimen, Specimens } from "./specimen.tsx";

// Complete class names, because Tailwind scans the source for them.
const COLOURS = [
  ["canvas", "bg-canvas"],
  ["surface", "bg-surface"],
  ["sunken", "bg-sunken"],
  ["line", "bg-line"],
  ["line strong", "bg-line-strong"],
  ["ink", "bg-ink"],
  ["muted", "bg-muted"],
  ["faint", "bg-faint"],
  ["accent", "bg-accent"],
  ["accent strong", "bg-accent-strong"],
  ["accent soft", "bg-accent-soft"],
  ["danger", "bg-danger"],
  ["danger soft", "bg-danger-soft"],
  ["warning", "bg-warning"],
  ["warning soft", "bg-warning-soft"],
] as const;

const SIZES = [
  ["xs, 12 px", "text-xs"],
  ["sm, 13 px", "text-sm"],
  ["base, 14 px", "text-base"],
  ["lg, 16 px", "text-lg font-semibold"],
  ["xl, 20 px", "text-xl font-semibold"],
  ["2xl, 24 px", "text-2xl font-semibold"],
] as const;

const CORNERS = [
  ["sm", "rounded-sm"],
  ["default", "rounded"],
  ["md", "rounded-md"],
  ["lg", "rounded-lg"],
  ["card", "rounded-md shadow-card"],
  ["raised", "rounded-md shadow-raised"],
] as const;

const STEPS = [
  ["4", "w-1"],
  ["8", "w-2"],
  ["12", "w-3"],
  ["16", "w-4"],
  ["20", "w-5"],
  ["24", "w-6"],
  ["32", "w-8"],
] as const;

const MOTIONS = [
  ["quick, 100 ms: an answer to a press", "duration-quick"],
  ["calm, 180 ms: what comes into the page", "duration-calm"],
] as const;

export function TokenSpecimens() {
  return (
    <>
      <Specimens title="Colour">
        {COLOURS.map(([label, className]) => (
          <Specimen key={label} label={label}>
            <span className={cn("h-9 w-20 rounded border", className)} />
          </Specimen>
        ))}
      </Specimens>
      <Specimens title="Type">
        {SIZES.map(([label, className]) => (
          <Specimen key={label} label={label}>
            <span className={className}>Rs 1,23,456.50 · सरस्वती</span>
          </Specimen>
        ))}
      </Specimens>
      <Specimens title="Space, radius and shadow">
        {STEPS.map(([label, className]) => (
          <Specimen key={label} label={`${label} px`}>
            <span className={cn("h-4 bg-accent", className)} />
          </Specimen>
        ))}
        {CORNERS.map(([label, className]) => (
          <Specimen key={label} label={label}>
            <span className={cn("h-9 w-20 border bg-surface", className)} />
          </Specimen>
        ))}
      </Specimens>
      <Specimens title="Motion">
        {MOTIONS.map(([label, className]) => (
          <Specimen key={label} label={label}>
            <button
              type="button"
              className={cn(
                "h-9 w-40 rounded border bg-surface transition-[translate] hover:translate-x-6",
                className,
              )}
            >
              Rest on it
            </button>
          </Specimen>
        ))}
      </Specimens>
    </>
  );
}
