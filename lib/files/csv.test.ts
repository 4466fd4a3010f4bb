import { expect, test } from "vitest";
import { csvLine } from "./table-file.ts";

test("a CSV line ends with CR LF, and null is written as an empty cell", () => {
  expect(csvLine(["a", null, "सरस्वती"])).toBe("a,,सरस्वती\r\n");
});

test("commas, quotes and line breaks in a text stay within its cell", () => {
  expect(csvLine(['Rai, "Asha"', "two\nlines"])).toBe('"Rai, ""Asha""","two\nlines"\r\n');
});

test.each(["=1+1", "+977", "-2", "@SUM(A1)", " =1", "＝1+1", "＋1", "－1", "＠A1"])(
  "the cell %o is escaped, so that a spreadsheet does not read a formula",
  (cell) => {
    expect(csvLine([cell])).toBe(`"'${cell}"\r\n`);
  },
);

test.each([
  "\t=1",
  "\r=1",
  "Rai;=1+1",
  "Rai; @SUM(A1)",
  "Rai;;\t=1",
  "Rai\t+977",
  'Rai";-2',
  "Rai\n=1",
  "Rai;＝1",
  'Rai;"=1;x',
  'Rai;"=1+1;x',
  'Rai\t"=1',
  'Rai; "";"＋1',
])(
  "the cell %o is escaped even for a spreadsheet that separates cells by semicolons or tabs",
  (cell) => {
    // Simulates a spreadsheet that ignores quotes within a cell.
    const cells = csvLine(["x", cell, "y"]).split(/[;\t\r\n]/);
    expect(cells.filter((one) => /^["\s]*[=+\-@＝＋－＠]/.test(one))).toEqual([]);
    expect(csvLine([cell]).replaceAll('""', '"').replaceAll("'", "")).toContain(cell);
  },
);

test("semicolons before plain text and signs inside a text are written unchanged", () => {
  expect(csvLine(["Rai; Asha", "a-b", "1+1", "A - B", "A, B"])).toBe(
    'Rai; Asha,a-b,1+1,A - B,"A, B"\r\n',
  );
});
