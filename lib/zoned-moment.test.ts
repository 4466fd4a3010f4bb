import { expect, test } from "vitest";
import { zonedMoment } from "./zoned-moment.ts";

test.each([
  ["2026-11-20", "Asia/Kathmandu", "2026-11-19T18:15:00.000Z"],
  ["2026-11-20T14:05", "Asia/Katmandu", "2026-11-20T08:20:00.000Z"],
  ["2026-11-20T14:05", "+05:45", "2026-11-20T08:20:00.000Z"],
  ["2026-11-20", "Pacific/Kiritimati", "2026-11-19T10:00:00.000Z"],
  ["2026-03-08T02:30", "America/Los_Angeles", "2026-03-08T10:30:00.000Z"],
  ["2026-11-01T01:30", "America/Los_Angeles", "2026-11-01T08:30:00.000Z"],
  ["2026-11-20", "Mars/Base", "2026-11-20T00:00:00.000Z"],
])("%s in %s is %s", (local, zone, moment) => {
  expect(zonedMoment(local, zone)).toBe(moment);
});

test.each(["", "yesterday", "2026-13-01", "2026-02-30T10:00"])("%o is no moment", (text) => {
  expect(zonedMoment(text, "UTC")).toBeNull();
});
