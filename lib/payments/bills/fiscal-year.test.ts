import { expect, it } from "vitest";
import { fiscalYearOf, listedFiscalYears } from "./fiscal-year.ts";

it.each([
  ["nepal", "2026-07-16", "2082/83"],
  ["nepal", "2026-07-17", "2083/84"],
  ["nepal", "2028-07-15", "2084/85"],
  ["nepal", "2028-07-16", "2085/86"],
  ["nepal", "2034-04-13", "2090/91"],
  // Duebook's table of Nepal's calendar ends here.
  ["nepal", "2034-07-16", "2090/91"],
  ["nepal", "2034-07-17", "2091/92"],
  ["nepal", "2047-01-01", "2103/04"],
  ["calendar", "2026-12-31", "2026"],
] as const)(
  "with fiscal years of the type %s, the day %s is in the year %s",
  (kind, day, year) => {
    expect(fiscalYearOf(kind, day)).toBe(year);
  },
);

it("the listed fiscal years are that of a day, the years before it and the chosen one", () => {
  const list = (day: string, chosen: string | null = null) =>
    listedFiscalYears("nepal", { day, chosen, count: 3 });
  expect(list("2026-07-16")).toEqual(["2082/83", "2081/82", "2080/81"]);
  expect(list("2026-07-17")).toEqual(["2083/84", "2082/83", "2081/82"]);
  expect(list("2024-07-16")).toEqual(["2081/82", "2080/81", "2079/80"]);
  expect(list("2026-07-16", "2070/71")).toEqual(["2082/83", "2081/82", "2080/81", "2070/71"]);
  expect(
    listedFiscalYears("calendar", { day: "2026-01-01", chosen: "2025", count: 2 }),
  ).toEqual(["2026", "2025"]);
});
