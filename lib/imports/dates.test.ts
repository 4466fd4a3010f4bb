import { expect, test } from "vitest";
import { dateOrderOf, isOrderOpen, readImportDay } from "./dates.ts";

test.each([
  ["2026-07-31", "2026-07-31"],
  ["2026/7/31", "2026-07-31"],
  ["31/7/2026", "2026-07-31"],
  ["31.07.2026 00:00:00", "2026-07-31"],
  ["2026-07-31T00:00:00Z", "2026-07-31"],
  ["31 July 2026", "2026-07-31"],
  ["Jul 31, 2026", "2026-07-31"],
  ["2083-04-15", "2026-07-31"],
  ["15/4/2083", "2026-07-31"],
  ["१५/४/२०८३", "2026-07-31"],
  ["२०८३-०४-१५", "2026-07-31"],
  ["15 Shrawan 2083", "2026-07-31"],
  ["२०८३ साउन १५", "2026-07-31"],
  ["वि.सं. २०८३ श्रावण १५ गते", "2026-07-31"],
  ["2083-04-15 BS", "2026-07-31"],
  ["2083-01-31", "2026-05-14"],
])("the date %s is read as %s", (cell, day) => {
  expect(readImportDay(cell, "dmy")).toBe(day);
});

test.each([
  "",
  "soon",
  "2026-02-30",
  "31/7/26",
  "45000",
  "2083-01-32",
  "2083-13-01",
  "3026-01-01",
  "1 Shrawan 2026 July",
  "July 2026",
  "32 Shrawan 2083 5",
])("%j is not read as a day", (cell) => {
  expect(readImportDay(cell, "dmy")).toBeNull();
});

test("the order of day and month is inferred from all dates of the file", () => {
  expect(readImportDay("4/5/2026", "dmy")).toBe("2026-05-04");
  expect(readImportDay("4/5/2026", "mdy")).toBe("2026-04-05");
  expect(dateOrderOf(["4/5/2026", "13/5/2026"])).toBe("dmy");
  expect(dateOrderOf(["4/5/2026", "5/13/2026", "2026-05-13"])).toBe("mdy");
  expect(dateOrderOf(["4/5/2026", "2026-05-13"])).toBeNull();
  expect(dateOrderOf(["5/13/2026", "13/5/2026"])).toBeNull();
  expect(isOrderOpen("4/5/2026")).toBe(true);
  expect(isOrderOpen("5/5/2026")).toBe(false);
  expect(isOrderOpen("2026-05-04")).toBe(false);
});
