import { expect, test } from "vitest";
import { words } from "#tools/testing/messages.ts";
import { describeLooked } from "./looked.ts";

test.each([
  [{ looked: 7, total: 7, is_complete: true }, "all 7 customers"],
  [{ looked: 1, total: 1, is_complete: true }, "the only customer"],
  [{ looked: 0, total: 0, is_complete: true }, "all 0 customers"],
  [
    { looked: 1_000, total: 12_345, is_complete: false },
    "the newest 1,000 of 12,345 customers",
  ],
  [{ looked: 1_000, total: null, is_complete: false }, "the newest 1,000 customers"],
  [{ looked: 1_000, total: 900, is_complete: false }, "the newest 1,000 customers"],
])("says how far was looked: %o", (looked, text) => {
  expect(describeLooked(words("format"), looked, "customer")).toBe(text);
});

test("it says so in the reader's language", () => {
  const looked = { looked: 1_000, total: 12_345, is_complete: false };
  expect(describeLooked(words("format", "ne"), looked, "subscription")).toBe(
    "१२,३४५ मध्ये सबैभन्दा नयाँ १,००० सदस्यता",
  );
});
