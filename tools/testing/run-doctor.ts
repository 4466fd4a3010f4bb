import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "vitest";
import type { Finding, Level } from "#scripts/doctor/finding.ts";
import { ROOT } from "#scripts/process/settings.ts";

/** Variables that the system needs, without settings of the person who runs the tests. */
const clean = { PATH: process.env["PATH"], NODE_ENV: process.env.NODE_ENV };

/** Runs the doctor with these variables only. */
export async function runDoctor(environment: Record<string, string>, ...options: string[]) {
  const script = join(ROOT, "scripts/doctor.ts");
  const child = spawn(process.execPath, ["--conditions=react-server", script, ...options], {
    env: { ...clean, NO_COLOR: "1", ...environment },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

interface Told {
  ok: boolean;
  findings: Record<string, Finding[]>;
}

/** Runs the doctor; `under` returns the texts of a section, of one level if given. */
export async function lookWithDoctor(
  environment: Record<string, string>,
  ...options: string[]
) {
  const { code, output } = await runDoctor(environment, "--json", ...options);
  const { ok, findings } = JSON.parse(output) as Told;
  expect(code).toBe(ok ? 0 : 1);
  const under = (title: string, level?: Level) =>
    (findings[title] ?? [])
      .filter((one) => level === undefined || one.level === level)
      .map((one) => one.words)
      .join("\n");
  for (const one of Object.values(findings).flat())
    if (one.level === "warning" || one.level === "failure") expect(one.remedy).toBeTruthy();
  return { ok, under, output };
}
