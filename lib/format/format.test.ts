import { afterEach, describe, expect, test, vi } from "vitest";
import { formatOf, translatorOf } from "#tools/testing/messages.ts";
import { calendarDay, formatMoney } from "./format.ts";

afterEach(() => vi.unstubAllEnvs());

const KATHMANDU = "Asia/Kathmandu";
const formatDate = (iso: string, time_zone: string) => formatOf({ time_zone }).date(iso);
const formatDateTime = (iso: string, time_zone: string) =>
  formatOf({ time_zone }).dateTime(iso);
const formatRelativeDay = (iso: string, time_zone: string, now: string) =>
  formatOf({ time_zone, now }).relativeDay(iso);

describe("money", () => {
  test.each([
    ["1999.00", "NPR", "NPR 1,999.00"],
    ["0", "NPR", "NPR 0.00"],
    ["-5.5", "USD", "-USD 5.50"],
    ["1200", "JPY", "JPY 1,200"],
    // Exceeds a float's precision.
    ["90071992547409931.25", "NPR", "NPR 90,071,992,547,409,931.25"],
    ["-90071992547409931.255", "USD", "-USD 90,071,992,547,409,931.255"],
    ["0.1000000000000000055511151231257827", "NPR", "NPR 0.1000000000000000055511151231257827"],
    ["1200", "NPR", "NPR 1,200.00"],
    ["1200.5", "NPR", "NPR 1,200.50"],
    ["1200.0000", "NPR", "NPR 1,200.00"],
    ["1200.00", "JPY", "JPY 1,200"],
    ["1200.5", "JPY", "JPY 1,200.5"],
    ["1.5", "KWD", "KWD 1.500"],
    ["1234.5678", "KWD", "KWD 1,234.5678"],
    ["12", "npr", "NPR 12.00"],
    ["-0.00", "NPR", "NPR 0.00"],
    ["1e3", "NPR", "NPR 1e3"],
    ["1,200.00", "NPR", "NPR 1,200.00"],
    ["NaN", "USD", "USD NaN"],
    ["<b>1</b>", "USD", "USD <b>1</b>"],
    ["१२.००", "NPR", "NPR १२.००"],
    ["1.2345", "NPR", "NPR 1.2345"],
    ["12.00", "XQZ", "XQZ 12.00"],
    ["12.00", "रु", "रु 12.00"],
    ["free", "NPR", "NPR free"],
    ["", "", ""],
  ])("%s %s is written as %s", (amount, currency, text) => {
    expect(formatMoney(amount, currency)).toBe(text);
  });

  test.each([
    ["code", "NPR 1,234,567.50"],
    ["code_lakh", "NPR 12,34,567.50"],
    ["symbol", "Rs 1,234,567.50"],
    ["symbol_lakh", "Rs 12,34,567.50"],
  ] as const)("the amount 1234567.50 NPR in the style %s is written as %s", (style, text) => {
    expect(formatMoney("1234567.50", "NPR", style)).toBe(text);
  });
});

describe("numbers by language", () => {
  const nepali = formatOf({ language: "ne" });

  test.each([0, 7, 999, 1_000, 99_999, 100_000, 1_234_567, 123_456_789])(
    "in Nepali the count %i is grouped in lakhs, both alone and within a message",
    (count) => {
      const usual = new Intl.NumberFormat("ne").format(count);
      expect(nepali.count(count)).toBe(usual);
      const message = translatorOf("create", "ne")("known.notAmong", { count });
      expect(message).toContain(usual);
    },
  );

  test.each([
    ["code", "NPR १२,३४,५६७.५०"],
    ["code_lakh", "NPR १२,३४,५६७.५०"],
    ["symbol", "रु १२,३४,५६७.५०"],
    ["symbol_lakh", "रु १२,३४,५६७.५०"],
  ] as const)(
    "in Nepali with the seller's amount style %s an amount is written as %s",
    (amount_style, text) => {
      expect(formatOf({ language: "ne", amount_style }).money("1234567.50", "NPR")).toBe(text);
    },
  );

  test("in Nepali an invalid amount is written unchanged, and a negative amount keeps its minus sign", () => {
    expect(nepali.money("free", "NPR")).toBe("NPR free");
    const symbol = formatOf({ language: "ne", amount_style: "symbol" });
    expect(symbol.money("-100000", "NPR")).toBe("-रु १,००,०००.००");
  });

  test("in English an amount has the seller's style, and a count is grouped in thousands", () => {
    expect(formatOf().count(1_234_567)).toBe("1,234,567");
    expect(formatOf({ amount_style: "code_lakh" }).money("1234567.5", "NPR")).toBe(
      "NPR 12,34,567.50",
    );
  });
});

describe("days", () => {
  test("a moment is shown with its day and time in the time zone", () => {
    expect(formatDate("2026-11-20T18:14:59Z", KATHMANDU)).toBe("20 Nov 2026");
    expect(formatDate("2026-11-20T18:15:00Z", KATHMANDU)).toBe("21 Nov 2026");
    expect(formatDateTime("2026-11-20T18:15:00Z", KATHMANDU)).toBe("21 Nov 2026, 00:00");
  });

  test.each(["Pacific/Kiritimati", "Pacific/Pago_Pago", KATHMANDU])(
    "a date without a time is the same day in the time zone %s",
    (zone) => {
      expect(calendarDay("2026-03-01", zone)).toBe("2026-03-01");
      expect(formatDate("2026-03-01", zone)).toBe("1 Mar 2026");
    },
  );

  test("an old name of a time zone works like its current name, and an unknown zone counts as UTC", () => {
    expect(formatDate("2026-11-20T18:15:00Z", "Asia/Katmandu")).toBe("21 Nov 2026");
    expect(formatDate("2026-11-20T18:15:00Z", "Mars/Olympus")).toBe("20 Nov 2026");
  });

  test.each([
    "2026-11-21T00:00:00+05:45",
    "2026-11-21T00:00:00.123456+05:45",
    "2026-11-21T00:00:00+0545",
    "2026-11-20T18:15Z",
    "2026-11-20T18:15:00.1z",
    "2026-11-20 18:15:00+00:00",
    "2026-11-20T18:15:00+00",
    "2026-11-20T10:15:00-08:00",
    "2026-11-21T08:15:00.000000001+14:00",
  ])("the ISO time %s is read as midnight of 21 November 2026 in Kathmandu", (iso) => {
    expect(formatDateTime(iso, KATHMANDU)).toBe("21 Nov 2026, 00:00");
  });

  test.each(["America/Los_Angeles", "Pacific/Kiritimati", "UTC"])(
    "a moment without an offset is read as UTC on a machine in %s",
    (zone) => {
      vi.stubEnv("TZ", zone);
      expect(formatDateTime("2026-11-20T18:15:00", KATHMANDU)).toBe("21 Nov 2026, 00:00");
      expect(formatDateTime("2026-11-20 18:15:00.5", KATHMANDU)).toBe("21 Nov 2026, 00:00");
    },
  );

  test.each([
    ["America/Los_Angeles", "20 Nov 2026, 10:15"],
    ["Pacific/Kiritimati", "21 Nov 2026, 08:15"],
    ["Asia/Calcutta", "20 Nov 2026, 23:45"],
    ["Asia/Kolkata", "20 Nov 2026, 23:45"],
    ["Asia/Katmandu", "21 Nov 2026, 00:00"],
    ["US/Pacific", "20 Nov 2026, 10:15"],
  ])("18:15 UTC is shown in the local time of %s", (zone, text) => {
    expect(formatDateTime("2026-11-20T18:15:00Z", zone)).toBe(text);
  });

  test("a day on which clocks are put forward or back counts as one day", () => {
    const zone = "America/Los_Angeles";
    expect(formatDateTime("2026-03-08T09:59:59Z", zone)).toBe("8 Mar 2026, 01:59");
    expect(formatDateTime("2026-03-08T10:00:00Z", zone)).toBe("8 Mar 2026, 03:00");
    expect(formatDateTime("2026-11-01T08:30:00Z", zone)).toBe("1 Nov 2026, 01:30");
    expect(formatDateTime("2026-11-01T09:30:00Z", zone)).toBe("1 Nov 2026, 01:30");
    const evening = "2026-03-08T07:30:00Z";
    expect(formatRelativeDay("2026-03-08T08:30:00Z", zone, evening)).toBe("tomorrow");
    expect(formatRelativeDay("2026-03-09T06:30:00Z", zone, evening)).toBe("tomorrow");
    expect(formatRelativeDay("2026-11-02T08:30:00Z", zone, "2026-11-01T07:30:00Z")).toBe(
      "tomorrow",
    );
  });

  test("a date in the year 1 is formatted correctly", () => {
    expect(formatDate("0001-01-01T00:00:00Z", "UTC")).toBe("1 Jan 0001");
    expect(formatRelativeDay("0001-01-01T00:00:00Z", "UTC", "2026-11-20T00:00:00Z")).toBe(
      "2026 years ago",
    );
  });

  test.each([
    "batch 5",
    "2026-02-30",
    "2026-13-01",
    "2026-11-20T25:00:00Z",
    "20/11/2026",
    "1795900000",
    "<time>",
  ])("the text %s is not a date", (text) => {
    expect(calendarDay(text, KATHMANDU)).toBeNull();
    expect(formatDate(text, KATHMANDU)).toBe(text);
    expect(formatDateTime(text, KATHMANDU)).toBe(text);
  });

  test("an invalid date is shown unchanged, and its relative day is empty", () => {
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
    ["2026-11-19", "yesterday"],
    ["2026-11-21T18:15:00Z", "in 2 days"],
    ["2027-01-04", "in 45 days"],
    ["2027-01-18", "in 59 days"],
    ["2027-01-19", "in 2 months"],
    ["2026-09-21", "2 months ago"],
    ["2027-02-20", "in 3 months"],
    ["2028-11-20", "in 2 years"],
    ["2029-11-20", "in 3 years"],
  ])("the date %s is described as %s, counted in calendar days, not in hours", (iso, words) => {
    expect(formatRelativeDay(iso, KATHMANDU, "2026-11-20T17:00:00Z")).toBe(words);
  });
});

test("more days than the cache holds are formatted correctly in each time zone", () => {
  const moments = Array.from({ length: 1_200 }, (_, at) =>
    new Date(Date.UTC(2026, 0, 1, 18, 20) + at * 86_400_000).toISOString(),
  );
  for (const zone of ["UTC", KATHMANDU, "UTC"])
    expect(moments.map((moment) => calendarDay(moment, zone))).toEqual(
      moments.map((moment) => {
        const later = zone === "UTC" ? 0 : 345 * 60_000;
        return new Date(Date.parse(moment) + later).toISOString().slice(0, 10);
      }),
    );
});
