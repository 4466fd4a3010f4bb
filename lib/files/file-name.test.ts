import { expect, test } from "vitest";
import { fileNameHeader, readFileName } from "./file-name.ts";

const received = (headers: Record<string, string>) =>
  readFileName({ headers: new Headers(headers) });

test.each([
  ["ग्राहक २०८३.csv", "ग्राहक २०८३.csv"],
  ["C:\\files\\buyers.xlsx", "buyers.xlsx"],
  ["two\n lines\u202e.csv", "two lines.csv"],
  ["\ud83d.csv", "\ufffd.csv"],
  ["😀".repeat(150), "😀".repeat(100)],
  [`a${"😀".repeat(150)}`, `a${"😀".repeat(99)}\ufffd`],
])("the file name %j is received as one line of limited length", (name, line) => {
  expect(received(fileNameHeader(name))).toBe(line);
});

test("a file name that is missing or cannot be decoded is received as empty", () => {
  expect(received({})).toBe("");
  expect(received({ "x-file-name": "%E0%A4%A" })).toBe("");
});
