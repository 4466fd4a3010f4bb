import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { missingCommands, missingTests, missingTrials, wrongRequirementRows } from "./docs.ts";

const read = (file: string) => (file === "a.test.ts" ? 'test("one does it", …)' : null);

test("a test is reported if a document names it but no file has it under that title", () => {
  expect(missingTests("`a.test.ts` “one does it”", read)).toEqual([]);
  expect(missingTests("`a.test.ts` “one does it”, “and two”", read)).toEqual([
    "a.test.ts: no “and two”",
  ]);
  expect(missingTests("`b.spec.ts` “one does it”", read)).toEqual(["there is no b.spec.ts"]);
  expect(missingTests("see `a.test.ts`", read)).toEqual(["no test of a.test.ts is named"]);
});

test("a requirement is reported if its row is missing, repeated, or without a test", () => {
  const table = readFileSync("docs/asvs.md", "utf8");
  expect(wrongRequirementRows(table)).toEqual([]);
  const [row = ""] = /^\| 7\.4\.1 .*$/m.exec(table) ?? [];
  expect(wrongRequirementRows(table.replace(row, ""))).toContain("7.4.1 is missing");
  expect(wrongRequirementRows(table.replace(row, `${row}\n${row}`))).toContain(
    "7.4.1 is listed twice",
  );
  const bare = `${row.split("|").slice(0, 6).join("|")}|  |`;
  expect(wrongRequirementRows(table.replace(row, bare))).toContain("7.4.1 has no test");
  expect(
    wrongRequirementRows(table.replace(row, row.replace("kept", "read"))).join(),
  ).toContain("its numbers are not");
});

test("a trial missing from the document and an unknown command in it are reported", () => {
  const trials = readFileSync("docs/reliability.md", "utf8");
  expect(missingTrials(trials)).toEqual([]);
  expect(missingTrials(trials.replace("| F10 |", "| F12 |"))).toEqual(["F10 is missing"]);
  expect(
    missingCommands("`npm run trial kill -- --rounds 9`, `npm run kil`", { trial: "" }),
  ).toEqual(["there is no command kil"]);
  expect(missingCommands("`npm run trial kil`", { trial: "" })).toEqual([
    "there is no command trial kil",
  ]);
});
