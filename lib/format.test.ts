import { describe, expect, test } from "vitest";
import {
  calendarDay,
  formatDate,
  formatDateTime,
  formatMoney,
  formatRelativeDay,
} from "./format.ts";

const KATHMANDU = "Asia/Kathmandu";

describe("money", () => {
  test.each([
    ["1999.00", "NPR", "NPR 1,999.00"],
    ["0", "NPR", "NPR 0.00"],
    ["-5.5", "USD", "-USD 5.50"],
    ["1200", "JPY", "JPY 1,200"],
    // More than a float can hold.
    ["90071992547409931.25", "NPR", "NPR 90,071,992,547,409,931.25"],
    ["1.2345", "NPR", "NPR 1.2345"],
    ["12.00", "XQZ", "XQZ 12.00"],
    ["12.00", "रु", "रु 12.00"],
    ["free", "NPR", "NPR free"],
    ["", "", ""],
  ])("%s %s reads %s", (amount, currency, text) => {
    expect(formatMoney(amount, currency)).toBe(text);
  });
});

describe("days", () => {
  test("a moment belongs to the day of the zone", () => {
    expect(formatDate("2026-11-20T18:14:59Z", KATHMANDU)).toBe("20 Nov 2026");
    expect(formatDate("2026-11-20T18:15:00Z", KATHMANDU)).toBe("21 Nov 2026");
    expect(formatDateTime("2026-11-20T18:15:00Z", KATHMANDU)).toBe("21 Nov 2026, 00:00");
  });

  test.each(["Pacific/Kiritimati", "Pacific/Pago_Pago", KATHMANDU])(
    "a date is never shifted in %s",
    (zone) => {
      expect(calendarDay("2026-03-01", zone)).toBe("2026-03-01");
      expect(formatDate("2026-03-01", zone)).toBe("1 Mar 2026");
    },
  );

  test("an alias of a zone is the zone, an unknown one is UTC", () => {
    expect(formatDate("2026-11-20T18:15:00Z", "Asia/Katmandu")).toBe("21 Nov 2026");
    expect(formatDate("2026-11-20T18:15:00Z", "Mars/Olympus")).toBe("20 Nov 2026");
  });

  test("what is no date is shown as it came", () => {
    expect(formatDate("soon", KATHMANDU)).toBe("soon");
    expect(formatDate("", KATHMANDU)).toBe("");
    expect(formatRelativeDay("soon", KATHMANDU, "2026-11-20T00:00:00Z")).toBe("");
  });

  test.each([
    ["2026-11-20T18:14:00Z", "today"],
    ["2026-11-20T18:16:00Z", "tomorrow"],
    ["2026-11-19T18:14:00Z", "yesterday"],
    ["2026-11-24", "in 4 days"],
    ["2026-11-10", "10 days ago"],
    ["2027-02-20", "in 3 months"],
    ["2029-11-20", "in 3 years"],
  ])("%s is %s, counted in days and not in hours", (iso, words) => {
    expect(formatRelativeDay(iso, KATHMANDU, "2026-11-20T17:00:00Z")).toBe(words);
  });
});
