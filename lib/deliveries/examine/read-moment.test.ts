import { expect, test } from "vitest";
import { readMoment } from "./read-request.ts";

const iso = (text: string, zone: string) => {
  const moment = readMoment(text, zone);
  return typeof moment === "number" ? new Date(moment).toISOString() : moment;
};

test("reads a moment without a zone in the seller's time zone", () => {
  expect(iso("2026-11-20 15:45", "Asia/Kathmandu")).toBe("2026-11-20T10:00:00.000Z");
  expect(iso("2026-11-20T05:00:30", "America/New_York")).toBe("2026-11-20T10:00:30.000Z");
  expect(iso("2026-07-20T06:00", "America/New_York")).toBe("2026-07-20T10:00:00.000Z");
  expect(iso("2026-11-20T10:00", "UTC")).toBe("2026-11-20T10:00:00.000Z");
  // An hour after the clocks went forward.
  expect(iso("2026-03-08T03:30", "America/New_York")).toBe("2026-03-08T07:30:00.000Z");
});

test("reads a moment with a zone, or in seconds, as it is", () => {
  expect(iso("2026-11-20T10:00:00Z", "Asia/Kathmandu")).toBe("2026-11-20T10:00:00.000Z");
  expect(iso("2026-11-20T15:45+05:45", "UTC")).toBe("2026-11-20T10:00:00.000Z");
  expect(iso("1795168800", "Asia/Kathmandu")).toBe("2026-11-20T10:00:00.000Z");
});

test("returns null for an empty text and reports an unreadable one", () => {
  expect(readMoment("  ", "UTC")).toBeNull();
  expect(readMoment("yesterday", "UTC")).toBe("unreadable");
  expect(readMoment("2026-13-40 10:00", "UTC")).toBe("unreadable");
});
