import { expect, test } from "vitest";
import { addressForPrograms } from "./rules.ts";

test.each(["https://billing.example", "http://localhost:4331", "http://[::1]:80/below_a-b"])(
  "%s is accepted as an address for programs",
  (url) => expect(addressForPrograms(url)).toBe(url),
);

test.each([
  "",
  "billing.example",
  "ftp://billing.example",
  'https://billing.example/"; rm x',
  "https://billing.example/$(id)",
  "https://billing.example/`id`",
  "https://billing.example\nid",
])("%j is not accepted as an address for programs", (url) =>
  expect(addressForPrograms(url)).toBeNull(),
);
