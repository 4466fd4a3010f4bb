import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { firstErrorIn } from "../database/postgres-home.ts";
import { loadEnvFile, malformedLine } from "./settings.ts";

test.each([
  ["PORT 3100", 1],
  ["A=1\n\n# words\nSERVICE_PORT: 4100", 4],
  ["=nothing", 1],
  ['C=1\nA="never closed\nB="y"', 2],
  ['A="never closed\nB=\'x\'\nC="y"\nD=1', 1],
  ['A="closed"by nobody', 1],
  ['A="never closed\nB=2', 1],
  ['A="two\nlines"\nB', 3],
])("in the .env text %j, line %i is malformed", (text, line) => {
  expect(malformedLine(text)).toBe(line);
});

/**
 * Loads the text as a program loads the project's .env file when it starts; restores the environment
 * after the test.
 */
async function load(text: string, loaded: () => void) {
  const [folder, before] = [await mkdtemp(join(tmpdir(), "duebook-env-")), process.cwd()];
  onTestFinished(async () => {
    process.chdir(before);
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  await writeFile(join(folder, ".env"), text);
  vi.stubEnv("PORT", undefined);
  vi.stubEnv("SERVICE_PORT", "4100");
  loadEnvFile(folder);
  loaded();
}

test("an .env file with a malformed line is refused with the number of the line", async () => {
  await expect(load("PORT=3100\nSERVICE_PORT: 4100", () => {})).rejects.toThrow(
    "line 2 of .env is not NAME=value.",
  );
});

test("an .env file may begin with a byte order mark, and does not override environment variables", () =>
  load("\uFEFFPORT=3100\nSERVICE_PORT=4200", () => {
    expect([process.env["PORT"], process.env["SERVICE_PORT"]]).toEqual(["3100", "4100"]);
  }));

test("every line of an .env file that Node.js reads as a setting is accepted", () => {
  const text = [
    "# words",
    "",
    "export A=1",
    "B = two words # and a comment",
    "C=",
    'D="quoted # text"',
    "E='three",
    "whole",
    "lines'",
    "F=it's",
    "G=postgresql://u:p@h/d?host=%2Frun",
    'H="closed" # words',
  ].join("\r\n");
  expect(malformedLine(text)).toBeNull();
  expect(Object.keys(parseEnv(text))).toEqual(["A", "B", "C", "D", "E", "F", "G", "H"]);
});

test("of PostgreSQL's output only the first error is reported, without the errors that follow from it", () => {
  const said = `creating configuration files ... ok
running bootstrap script ... 2026-11-24 03:30:33.822 UTC [13545] FATAL:  could not extend file "base/1/2691": No space left on device
2026-11-24 03:30:33.822 UTC [13545] HINT:  Check free disk space.
2026-11-24 03:30:33.825 UTC [13545] PANIC:  cannot abort transaction 1, it was already committed
child process exited with exit code 134
initdb: removing data directory "/tmp/small/cluster.half"`;
  expect(firstErrorIn(said)).toBe(
    'could not extend file "base/1/2691": No space left on device (Check free disk space)',
  );
  expect(firstErrorIn('initdb: error: could not create directory "x": No space')).toBe(
    'could not create directory "x": No space',
  );
  expect(firstErrorIn("")).toBe("it said nothing");
});
