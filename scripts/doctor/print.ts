import { styleText } from "node:util";
import { counted, type Finding, type Level } from "./finding.ts";

/** Word and sign of a severity, so that colour is never the only difference. */
const SIGNS = {
  ok: ["✓ ok", "green"],
  note: ["· note", "gray"],
  warning: ["! warning", "yellow"],
  failure: ["✗ FAILURE", "red"],
} as const satisfies Record<Level, unknown>;
const WIDTH = 11;

export function printFindings(report: Record<string, Finding[]>): void {
  for (const [title, findings] of Object.entries(report)) {
    console.log(`\n${styleText("bold", title, { stream: process.stdout })}`);
    for (const { level, words, remedy } of findings) {
      const [sign, color] = SIGNS[level];
      console.log(
        `  ${styleText(color, sign.padEnd(WIDTH), { stream: process.stdout })}${words}`,
      );
      if (remedy) console.log(`  ${" ".repeat(WIDTH)}→ ${remedy}`);
    }
  }
  const all = Object.values(report).flat();
  const count = (level: Level) => all.filter((one) => one.level === level).length;
  const [failures, warnings] = [count("failure"), count("warning")];
  console.log(
    failures + warnings === 0
      ? "\nEverything that can be seen from here is as it should be."
      : `\n${counted(failures, "failure")}, ${counted(warnings, "warning")}.`,
  );
}
