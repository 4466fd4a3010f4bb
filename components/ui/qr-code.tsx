"use client";

import { encode } from "uqr";
import { cn } from "#lib/cn.ts";

/** Width of the light border in modules; scanners need four. */
const BORDER = 4;

export const qrModules = (text: string): boolean[][] =>
  encode(text, { ecc: "M", border: BORDER }).data;

interface QrCodeProps {
  modules: boolean[][];
  label: string;
  className?: string;
}

/** A QR code, dark on white in both themes, because scanners need that. */
export function QrCode({ modules, label, className }: QrCodeProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
      className={cn("rounded border bg-white", className)}
    >
      <path d={qrPath(modules)} fill="#000" />
    </svg>
  );
}

/** The SVG path of the code, with a square for each dark module. */
export function qrPath(modules: boolean[][]): string {
  const rows = modules.map((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join(""),
  );
  return rows.join("");
}
