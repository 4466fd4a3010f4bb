import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Attempt } from "#contract/deliveries.ts";
import { shortenCommonParts, compareAttempts, diffTexts, makeVisible } from "./differences.ts";

const shown = (left: string, right: string) =>
  diffTexts(left, right)
    .map(({ of, text }) => ({ both: text, left: `[-${text}]`, right: `[+${text}]` })[of])
    .join("");

test("texts are compared word by word", () => {
  expect(shown('{"a" : 1}', '{"a":1}')).toBe('{"a"[- ]:[- ]1}');
  expect(shown("amount 100", "amount 999")).toBe("amount [-100][+999]");
  expect(shown("same", "same")).toBe("same");
  expect(shown("", "new")).toBe("[+new]");
});

test("the differences between two texts contain the whole of both texts", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (left, right) => {
      const found = diffTexts(left, right);
      const sideOf = (without: string) =>
        found
          .filter(({ of }) => of !== without)
          .map(({ text }) => text)
          .join("");
      expect([sideOf("right"), sideOf("left")]).toEqual([left, right]);
    }),
  );
});

test("the whole middle of two long texts is marked as one difference", () => {
  const long = (word: string) => `start ${`${word} `.repeat(2_000)}end`;
  expect(diffTexts(long("one"), long("two")).map(({ of }) => of)).toEqual([
    "both",
    "left",
    "right",
    "both",
  ]);
});

test("common text is shortened to a few characters around each difference", () => {
  const same = "x".repeat(100);
  const cut = shortenCommonParts(diffTexts(`${same} 1 ${same}`, `${same} 2 ${same}`), 3);
  expect(cut.map(({ text }) => text)).toEqual(["…xx ", "1", "2", " xx…"]);
});

test("invisible characters are shown as symbols", () => {
  expect(makeVisible("a\r\n\tb\u00a0\uFEFFc")).toBe("a␍↵\n⇥b⍽⟨U+FEFF⟩c");
});

describe("comparing two delivery attempts", () => {
  const attempt = (changes: Partial<Attempt> = {}): Attempt => ({
    started_at: "2026-11-20T00:00:00.000Z",
    duration_ms: 80,
    request: { url: "http://a.example/", headers: { id: "1", timestamp: "10" }, body: "{}" },
    response: { code: 500, body: "no" },
    error: "failed",
    ...changes,
  });

  test("finds no difference between equal attempts", () => {
    expect(compareAttempts(attempt(), attempt())).toMatchObject({ count: 0, apart: 0 });
  });

  test("reports differences in time, duration, headers and response status", () => {
    const compared = compareAttempts(
      attempt(),
      attempt({
        started_at: "2026-11-20T00:05:00.000Z",
        duration_ms: 1_080,
        request: {
          url: "http://a.example/",
          headers: { id: "1", timestamp: "310", more: "x" },
          body: "{}",
        },
        response: null,
      }),
    );
    expect(compared).toMatchObject({
      count: 4,
      apart: 300,
      duration: { more: 1_000 },
      code: { left: "500", right: null },
      address: { is_same: true },
    });
    expect(compared.headers.map(({ name, is_same }) => [name, is_same])).toEqual([
      ["id", true],
      ["timestamp", false],
      ["more", false],
    ]);
  });
});
