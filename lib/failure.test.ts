import { expect, test } from "vitest";
import { fullTranslator } from "#tools/testing/messages.ts";
import {
  retryDelayOf,
  AppError,
  describeFailure,
  failureOf,
  isFailure,
  failureResponse,
  type Failure,
} from "./failure.ts";

const t = fullTranslator();

const every: Failure[] = [
  { kind: "validation", fields: {}, detail: null },
  { kind: "unauthorized" },
  { kind: "unverified" },
  { kind: "not_found" },
  { kind: "not_offered" },
  { kind: "conflict", detail: "An active subscription exists." },
  { kind: "rate_limited", retry_after: 3 },
  { kind: "rate_limited", retry_after: null },
  { kind: "unavailable", outcome_unknown: false },
  { kind: "unavailable", outcome_unknown: false, why: "timeout" },
  { kind: "unavailable", outcome_unknown: false, why: "failing" },
  { kind: "unavailable", outcome_unknown: true },
  { kind: "second_factor" },
  { kind: "unexpected" },
  { kind: "unexpected", status: 200 },
  { kind: "unexpected", status: 302 },
  { kind: "unexpected", status: 403 },
  { kind: "unexpected", status: 418 },
  { kind: "unanswered" },
  { kind: "not_connected" },
  { kind: "mode_absent" },
  { kind: "signed_out" },
  { kind: "forbidden" },
];

test.each(every)(
  "a failure of kind $kind has a title and advice as sentences and an HTTP status of at least 400",
  (failure) => {
    for (const call of ["read", "write", "create"] as const) {
      const { title, advice } = describeFailure(t, failure, call);
      expect(title).toMatch(/^[A-Z].*\.$/);
      expect(advice).toMatch(/^[A-Z].*\.$/);
    }
    expect(failureResponse(failure).status).toBeGreaterThanOrEqual(400);
    expect(isFailure(JSON.parse(JSON.stringify(failure)))).toBe(true);
  },
);

test.each([
  [{ kind: "unavailable", outcome_unknown: false }, 503, "5"],
  [{ kind: "rate_limited", retry_after: 60 }, 429, "60"],
  [{ kind: "not_found" }, 404, null],
] as const)(
  "the response to the failure %o has the status %i and the Retry-After header %o",
  (failure, status, wait) => {
    const response = failureResponse(failure);
    expect(response.status).toBe(status);
    expect(response.headers.get("retry-after")).toBe(wait);
    expect(response.headers.get("cache-control")).toBe("no-store");
  },
);

const lost: Failure = { kind: "unavailable", outcome_unknown: true };

test("if the outcome is unknown, the advice allows an immediate retry only for a creation", () => {
  expect(describeFailure(t, lost, "create").advice).toContain("It is safe to try again");
  expect(describeFailure(t, lost, "write").advice).toContain("before you try again");
});

test("the text for a failed read mentions no saving or sending, unless the service is unavailable", () => {
  for (const failure of every.filter(({ kind }) => kind !== "unavailable")) {
    const { title, advice } = describeFailure(t, failure, "read");
    expect(`${title} ${advice}`).not.toMatch(/saved|was sent|changed/);
  }
});

test("the validation message of the service is the title of a failed read, but not of a failed write", () => {
  const failure: Failure = {
    kind: "validation",
    fields: { status: ["Not a status."] },
    detail: null,
  };
  expect(describeFailure(t, failure, "read").title).toBe("Not a status.");
  expect(describeFailure(t, failure, "write").title).not.toContain("Not a status.");
});

test.each([
  [1, "1 second"],
  [45, "45 seconds"],
  [61, "2 minutes"],
])("a rate limit of %i seconds is written as %s", (retry_after, words) => {
  expect(describeFailure(t, { kind: "rate_limited", retry_after }).advice).toContain(words);
});

test.each<[Failure, number | false]>([
  [{ kind: "unavailable", outcome_unknown: false }, 5_000],
  [{ kind: "unanswered" }, 5_000],
  [{ kind: "rate_limited", retry_after: 2 }, 5_000],
  [{ kind: "rate_limited", retry_after: 60 }, 60_000],
  [{ kind: "rate_limited", retry_after: null }, 5_000],
  [{ kind: "unexpected" }, false],
  [{ kind: "not_found" }, false],
])(
  "a read that failed with %o has the retry delay %o ms (false: no retry)",
  (failure, wait) => {
    expect(retryDelayOf(failure)).toBe(wait);
  },
);

test("an error other than an AppError becomes an unexpected failure", () => {
  expect(failureOf(new TypeError("secret"))).toEqual({ kind: "unexpected" });
  expect(failureOf(new AppError({ kind: "not_found" }))).toEqual({ kind: "not_found" });
});

test.each([null, "unavailable", [], {}, { kind: 7 }, { kind: "toString" }, { kind: "newer" }])(
  "the response body %o is not recognized as a failure",
  (body) => {
    expect(isFailure(body)).toBe(false);
  },
);
