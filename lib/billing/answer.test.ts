import { describe, expect, test } from "vitest";
import { UNSHOWABLE_MESSAGE } from "#lib/failure.ts";
import {
  failureOfAnswer,
  sanitizeServiceMessage,
  readJson,
  readPlainMessages,
} from "./answer.ts";

const refused = (body: unknown) =>
  failureOfAnswer(new Response(null, { status: 400 }), body, { isWrite: true });

describe("a refused change of a subscription", () => {
  test.each([
    [{ next_billing_cycle: ["Today or later."] }, { next_billing_cycle: ["Today or later."] }],
    [{ next_billing_cycle: "Today or later." }, { next_billing_cycle: ["Today or later."] }],
    [{ subscription_id: "Not yours." }, { subscription_id: ["Not yours."] }],
    [{ client: { phone: ["Blocked."] } }, { "client.phone": ["Blocked."] }],
  ])("keeps the field messages of the response %o", (body, fields) => {
    expect(refused(body)).toEqual({ kind: "validation", fields, detail: null });
  });

  test("is a conflict with the service's message if the response names no field", () => {
    const detail = "A one-time purchase cannot be cancelled.";
    expect(refused({ detail })).toEqual({ kind: "conflict", detail });
    expect(refused({ non_field_errors: [detail] })).toEqual({ kind: "conflict", detail });
  });

  test.each([null, "<h1>Bad Request</h1>", [], {}])(
    "is an unexpected failure if the response %o contains no message",
    (body) => {
      expect(refused(body)).toEqual({ kind: "unexpected", status: 400 });
    },
  );
});

const answered = (status: number, body: unknown, headers = {}, isWrite = false) =>
  failureOfAnswer(new Response(null, { status, headers }), body, { isWrite });
const detail = "In words.";

describe("a response of the service", () => {
  test.each([
    [401, undefined, { kind: "unauthorized" }],
    [403, { detail }, { kind: "unverified" }],
    [403, undefined, { kind: "unverified" }],
    [404, undefined, { kind: "not_found" }],
    [405, { detail }, { kind: "not_offered" }],
    [408, undefined, { kind: "unavailable", outcome_unknown: false, why: "failing" }],
    [409, { detail }, { kind: "conflict", detail, status: 409 }],
    [410, { detail }, { kind: "not_found", status: 410 }],
    [413, { detail }, { kind: "conflict", detail, status: 413 }],
    [415, { detail }, { kind: "conflict", detail, status: 415 }],
    [415, undefined, { kind: "unexpected", status: 415 }],
    [422, { errors: [{ message: detail }] }, { kind: "conflict", detail, status: 422 }],
    [501, undefined, { kind: "not_offered" }],
    [503, { detail }, { kind: "unavailable", outcome_unknown: false, why: "failing" }],
    [599, undefined, { kind: "unavailable", outcome_unknown: false, why: "failing" }],
    [301, undefined, { kind: "unexpected", status: 301 }],
  ])("with the status %i and the body %o is the failure %o", (status, body, failure) => {
    expect(answered(status, body)).toEqual(failure);
  });

  test.each([409, 413, 423])(
    "with the status %i and no message gets an explanation by Duebook",
    (status) => {
      const detail = expect.stringMatching(/^failures\.answers\.\w+$/);
      expect(answered(status, "<h1>No</h1>")).toEqual({ kind: "conflict", detail, status });
    },
  );

  test("with the status 403 and an HTML page, as a proxy sends it, is an unexpected failure", () => {
    const headers = { "content-type": "Text/HTML; charset=utf-8" };
    expect(answered(403, undefined, headers)).toEqual({ kind: "unexpected", status: 403 });
  });

  test("with the status 403 for a missing scope of the key keeps the service's message", () => {
    const detail = "This API key lacks the scope write; it has read.";
    const headers = { "www-authenticate": 'Bearer error="insufficient_scope", scope="write"' };
    const kind = "conflict";
    expect(answered(403, { detail }, headers)).toEqual({ kind, detail, status: 403 });
  });

  test("with the status 403 for the product list does not count as an unverified account", () => {
    const response = new Response(null, { status: 403 });
    const failure = failureOfAnswer(response, { detail }, { isWrite: false, isOpen: true });
    expect(failure).toEqual({ kind: "unexpected", status: 403 });
  });

  test.each([500, 502, 503, 504, 408])(
    "with the status %i leaves the outcome of a write unknown",
    (status) => {
      expect(answered(status, undefined, {}, true)).toMatchObject({ outcome_unknown: true });
    },
  );
});

describe("the waiting time of a 429 response", () => {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
  const wait = (text: string) => {
    const failure = answered(429, undefined, text ? { "retry-after": text } : {});
    return failure.kind === "rate_limited" ? failure.retry_after : failure.kind;
  };

  test.each([
    ["7", 7],
    [" 7 ", 7],
    ["0", 1],
    [inSeconds(-3600), 1],
    ["", null],
    ["soon", null],
    ["-5", null],
    ["2.5", null],
    ["1e3", null],
    ["999999999999", null],
    [inSeconds(400_000), null],
    ["Thu, 99 Foo 2026 00:00:00 GMT", null],
  ])("is read from the Retry-After header %o as %o seconds", (text, seconds) => {
    expect(wait(text)).toBe(seconds);
  });

  test("is the time until the date in the Retry-After header", () => {
    expect(wait(inSeconds(90))).toBeGreaterThan(80);
    expect(wait(inSeconds(90))).toBeLessThan(92);
  });
});

test("an empty 200 response is an error if its content type is JSON", async () => {
  const empty = (status: number, type: string) =>
    readJson(new Response(null, { status, headers: { "content-type": type } }));
  await expect(empty(200, "application/json; charset=utf-8")).rejects.toThrow(SyntaxError);
  await expect(empty(200, "text/plain")).resolves.toBeUndefined();
  await expect(empty(204, "application/json")).resolves.toBeUndefined();
});

test.each([
  ["An active subscription exists.", "An active subscription exists."],
  ["  Two\n lines\t here ", "Two lines here"],
  ["Use a value < 5 and > 3.", "Use a value < 5 and > 3."],
  ["Send it to <name>.", "Send it to <name>."],
  ["\u202eevil\u0000 text", "evil text"],
  ["कृपया ४ अङ्क", "कृपया ४ अङ्क"],
  ["Meet me at 10:30 in room 4:2", "Meet me at 10:30 in room 4:2"],
])("the service's message %o is shown as %o", (text, shown) => {
  expect(sanitizeServiceMessage(text)).toBe(shown);
});

test.each([
  "<!DOCTYPE html><title>Oops</title>",
  "Hello <script>alert(1)</script>",
  "Bad </p> end",
  'Traceback (most recent call last): File "/srv/app.py", line 7',
  "Error: no\n    at Object.run (/srv/app.js:10:3)",
  "panic: main.go:17",
])("the service's message %o is hidden", (text) => {
  expect(sanitizeServiceMessage(text)).toBe("");
});

test("a long message of the service is cut to 300 characters without splitting a character", () => {
  const shown = sanitizeServiceMessage("😀".repeat(5_000));
  expect(Array.from(shown)).toHaveLength(301);
  expect(shown.isWellFormed()).toBe(true);
});

test("a refused field whose message is HTML gets a substitute message", () => {
  const read = readPlainMessages({ pbp_id: ["<h1>No</h1>"], detail: "<h1>No</h1>" });
  expect(read).toEqual({
    detail: null,
    fields: { pbp_id: [UNSHOWABLE_MESSAGE] },
  });
});

test("at most 20 refused fields of a response are read", () => {
  const body = Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`f${at}`, "No."]));
  expect(Object.keys(readPlainMessages(body).fields)).toHaveLength(20);
});
