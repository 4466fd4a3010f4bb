import { expect, test } from "vitest";
import { WORDLESS } from "#lib/failure.ts";
import { plainWords, readPlainMessages } from "./service-words.ts";

test.each([
  ["An active subscription exists.", "An active subscription exists."],
  ["  Two\n lines\t here ", "Two lines here"],
  ["Use a value < 5 and > 3.", "Use a value < 5 and > 3."],
  ["Send it to <name>.", "Send it to <name>."],
  ["\u202eevil\u0000 text", "evil text"],
  ["कृपया ४ अङ्क", "कृपया ४ अङ्क"],
  ["Meet me at 10:30 in room 4:2", "Meet me at 10:30 in room 4:2"],
])("%o is shown as %o", (text, shown) => {
  expect(plainWords(text)).toBe(shown);
});

test.each([
  "<!DOCTYPE html><title>Oops</title>",
  "Hello <script>alert(1)</script>",
  "Bad </p> end",
  'Traceback (most recent call last): File "/srv/app.py", line 7',
  "Error: no\n    at Object.run (/srv/app.js:10:3)",
  "panic: main.go:17",
])("hides %o, which is meant for operators", (text) => {
  expect(plainWords(text)).toBe("");
});

test("cuts a long text at whole characters", () => {
  const shown = plainWords("😀".repeat(5_000));
  expect(Array.from(shown)).toHaveLength(301);
  expect(shown.isWellFormed()).toBe(true);
});

test("a field keeps that it was refused when its words cannot be shown", () => {
  const read = readPlainMessages({ pbp_id: ["<h1>No</h1>"], detail: "<h1>No</h1>" });
  expect(read).toEqual({
    detail: null,
    fields: { pbp_id: [WORDLESS] },
  });
});

test("limits the number of fields", () => {
  const body = Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`f${at}`, "No."]));
  expect(Object.keys(readPlainMessages(body).fields)).toHaveLength(20);
});
