import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { complaintIn } from "./postgres-home.ts";
import { malformedLine } from "./settings.ts";

test.each([
  ["PORT 3100", 1],
  ["A=1\n\n# words\nSERVICE_PORT: 4100", 4],
  ["=nothing", 1],
  ["\uFEFFPORT=3100\nrest", 2],
  ['A="never closed\nB=2', 1],
  ['A="two\nlines"\nB', 3],
])("of %j line %i is no setting", (text, line) => {
  expect(malformedLine(text)).toBe(line);
});

test("what Node reads as settings is taken", () => {
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
  ].join("\r\n");
  expect(malformedLine(text)).toBeNull();
  expect(Object.keys(parseEnv(text))).toEqual(["A", "B", "C", "D", "E", "F", "G"]);
});

test("of what PostgreSQL says the cause is told, not what followed from it", () => {
  const said = `creating configuration files ... ok
running bootstrap script ... 2026-11-24 03:30:33.822 UTC [13545] FATAL:  could not extend file "base/1/2691": No space left on device
2026-11-24 03:30:33.822 UTC [13545] HINT:  Check free disk space.
2026-11-24 03:30:33.825 UTC [13545] PANIC:  cannot abort transaction 1, it was already committed
child process exited with exit code 134
initdb: removing data directory "/tmp/small/cluster.half"`;
  expect(complaintIn(said)).toBe(
    'could not extend file "base/1/2691": No space left on device (Check free disk space)',
  );
  expect(complaintIn('initdb: error: could not create directory "x": No space')).toBe(
    'could not create directory "x": No space',
  );
  expect(complaintIn("")).toBe("it said nothing");
});
