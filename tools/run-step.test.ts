import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { runStepsInParallel } from "./run-step.ts";

let folder: string;
const printed: string[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "duebook-steps-"));
  vi.spyOn(console, "log").mockImplementation((text: string) => printed.push(text));
});
beforeEach(() => printed.splice(0));
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function script(name: string, text: string): string[] {
  const file = join(folder, `${name}.ts`);
  writeFileSync(file, text);
  return [file];
}

const saying = (word: string, code = 0) =>
  script(
    word,
    `console.log("${word} out"); console.error("${word} err"); process.exitCode = ${code};`,
  );

test("parallel steps print their output under their own name", async () => {
  await runStepsInParallel(
    [["one", saying("first")]],
    [
      ["two", saying("second")],
      ["three", saying("third")],
    ],
  );
  const all = printed.join("\n");
  for (const [name, word] of [
    ["one", "first"],
    ["two", "second"],
    ["three", "third"],
  ])
    expect(all).toMatch(
      new RegExp(
        `— ${name}\\n(?:${word} out\\n${word} err|${word} err\\n${word} out)\\n  ${name}: [\\d.]+ s`,
      ),
    );
});

test("a failing step ends only its own sequence of steps, and every failed step is named", async () => {
  const rows = runStepsInParallel(
    [
      ["one", saying("bad", 1)],
      ["two", saying("never")],
    ],
    [
      ["three", saying("good")],
      ["four", saying("worse", 2)],
    ],
    [["five", ["no-such-tool"]]],
  );
  await expect(rows).rejects.toThrow(/^(?=.*one)(?=.*four)(?=.*five).* failed\.$/);
  const all = printed.join("\n");
  expect(all).toContain("bad err");
  expect(all).toContain("good out");
  expect(all).toContain("worse out");
  expect(all).toContain("no-such-tool ENOENT");
  expect(all).not.toContain("never");
});
