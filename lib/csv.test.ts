import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test("a line ends as the standard wants it, and nothing is an empty cell", () => {
  expect(csvLine(["a", null, "सरस्वती"])).toBe("a,,सरस्वती\r\n");
});

test("commas, quotes and line breaks stay within their cell", () => {
  expect(csvLine(['Rai, "Asha"', "two\nlines"])).toBe('"Rai, ""Asha""","two\nlines"\r\n');
});

test.each([
  "=1+1",
  "+977",
  "-2",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  " =1",
  "＝1+1",
  "＋1",
  "－1",
  "＠A1",
])("%o is no formula in a spreadsheet", (cell) => {
  expect(csvLine([cell])).toBe(`"'${cell}"\r\n`);
});
