import { expect, test } from "vitest";
import { BillingError, describeFailure, failureOf, statusOf, type Failure } from "./errors.ts";

const every: Failure[] = [
  { kind: "validation", fields: {}, detail: null },
  { kind: "unauthorized" },
  { kind: "unverified" },
  { kind: "not_found" },
  { kind: "conflict", detail: "An active subscription exists." },
  { kind: "rate_limited", retry_after: 3 },
  { kind: "rate_limited", retry_after: null },
  { kind: "unavailable", outcome_unknown: false },
  { kind: "unavailable", outcome_unknown: true },
  { kind: "unexpected" },
  { kind: "signed_out" },
  { kind: "forbidden" },
];

test.each(every)("$kind says what happened and what to do", (failure) => {
  const { title, advice } = describeFailure(failure);
  expect(title).toMatch(/^[A-Z].*\.$/);
  expect(advice).toMatch(/^[A-Z].*\.$/);
  expect(statusOf(failure)).toBeGreaterThanOrEqual(400);
});

test("a surprise is told as an unexpected answer, whatever it was", () => {
  expect(failureOf(new TypeError("secret"))).toEqual({ kind: "unexpected" });
  expect(failureOf(new BillingError({ kind: "not_found" }))).toEqual({ kind: "not_found" });
});
