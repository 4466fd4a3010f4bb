import { expect, test } from "vitest";
import { zonedMoment, zoneConverter } from "./zoned-moment.ts";

test.each([
  ["2026-11-20", "Asia/Kathmandu", "2026-11-19T18:15:00.000Z"],
  ["2026-11-20T14:05", "Asia/Katmandu", "2026-11-20T08:20:00.000Z"],
  ["2026-11-20T14:05", "+05:45", "2026-11-20T08:20:00.000Z"],
  ["2026-11-20", "Pacific/Kiritimati", "2026-11-19T10:00:00.000Z"],
  ["2026-03-08T02:30", "America/Los_Angeles", "2026-03-08T10:30:00.000Z"],
  ["2026-11-01T01:30", "America/Los_Angeles", "2026-11-01T08:30:00.000Z"],
  ["2026-11-20", "Mars/Base", "2026-11-20T00:00:00.000Z"],
])("the local time %s in %s is the moment %s", (local, zone, moment) => {
  expect(zonedMoment(local, zone)).toBe(moment);
});

test.each(["", "yesterday", "2026-13-01", "2026-02-30T10:00"])(
  "the text %o is not accepted as a local time",
  (text) => {
    expect(zonedMoment(text, "UTC")).toBeNull();
  },
);

test.each([
  ["2026-11-19T18:15:00Z", "Asia/Kathmandu", "2026-11-20T00:00:00 +05:45"],
  ["2026-11-01T05:59:59.9Z", "America/New_York", "2026-11-01T01:59:59 -04:00"],
  ["2026-11-01T06:00:00Z", "America/New_York", "2026-11-01T01:00:00 -05:00"],
  ["2026-07-01T08:00:00+02:00", "America/New_York", "2026-07-01T02:00:00 -04:00"],
  ["2026-11-20 14:05:00", "+05:45", "2026-11-20T19:50:00 +05:45"],
  ["2026-11-20T14:05:00Z", "Mars/Base", "2026-11-20T14:05:00 +00:00"],
])("at the moment %s clocks in %s show %s", (iso, zone, shown) => {
  const clock = zoneConverter(zone);
  for (const time of ["2026-01-01T00:00:00Z", iso, "2026-12-31T00:00:00Z", iso]) clock(time);
  const there = clock(iso);
  expect(`${there?.local} ${there?.offset}`).toBe(shown);
});

test("a text that is not a full moment is converted to null", () => {
  expect(zoneConverter("UTC")("soon")).toBeNull();
  expect(zoneConverter("UTC")("2026-11-20")).toBeNull();
});
