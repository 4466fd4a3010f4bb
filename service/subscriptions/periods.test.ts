import { describe, expect, it } from "vitest";
import { localDate } from "#contract/process/local-day.ts";
import { addIntervals, billingMoment, renewedPeriod } from "./periods.ts";

const date = (text: string) => Temporal.PlainDate.from(text);
const monthly = { interval_type: "month", interval_count: 1 };

describe("addIntervals", () => {
  it("returns to the anchor day after a shorter month", () => {
    const dates = [1, 2, 3].map((count) =>
      addIntervals(date("2026-01-31"), monthly, 31, count).toString(),
    );
    expect(dates).toEqual(["2026-02-28", "2026-03-31", "2026-04-30"]);
  });

  it("adds quarters, years, weeks and days", () => {
    const from = date("2028-02-29");
    const after = (interval_type: string, interval_count: number) =>
      addIntervals(from, { interval_type, interval_count }, 29).toString();
    expect([after("month", 3), after("year", 1), after("week", 2), after("day", 10)]).toEqual([
      "2028-05-29",
      "2029-02-28",
      "2028-03-14",
      "2028-03-10",
    ]);
  });
});

describe("renewedPeriod", () => {
  const renew = (today: string, interval = monthly) => {
    const anchorDay = 31;
    const { start, end } = renewedPeriod({
      billingDate: date("2026-01-31"),
      today: date(today),
      interval,
      anchorDay,
    });
    return [start?.toString(), end.toString()];
  };

  it("skips missed intervals until the next billing date is in the future", () => {
    expect(renew("2026-02-03")).toEqual(["2026-01-31", "2026-02-28"]);
    expect(renew("2026-03-31")).toEqual(["2026-03-31", "2026-04-30"]);
    expect(renew("2026-02-20", { interval_type: "week", interval_count: 1 })).toEqual([
      "2026-02-14",
      "2026-02-21",
    ]);
  });

  it("begins the new period on the billing date if the buyer pays on that day", () => {
    expect(renew("2026-01-31")).toEqual(["2026-01-31", "2026-02-28"]);
  });

  it("extends the current period by one interval after an early payment", () => {
    expect(renew("2026-01-10")).toEqual([undefined, "2026-02-28"]);
  });
});

describe("billingMoment", () => {
  it.each([
    "Asia/Kathmandu",
    "Asia/Katmandu",
    "America/Los_Angeles",
    "UTC",
    "Pacific/Kiritimati",
  ])("is on the seller's local day in the time zone %s", (zone) => {
    const day = date("2026-12-01");
    expect(localDate(billingMoment(day, zone), zone).equals(day)).toBe(true);
  });

  it("is on the same day in UTC for a seller in Nepal", () => {
    expect(billingMoment(date("2026-12-01"), "Asia/Kathmandu").toISOString()).toBe(
      "2026-12-01T06:15:00.000Z",
    );
  });
});
