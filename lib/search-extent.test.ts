import { expect, test } from "vitest";
import { words } from "#tools/testing/messages.ts";
import { describeExtent } from "./search-extent.ts";

test.each([
  [{ searched: 7, total: 7, is_complete: true }, "all 7 customers"],
  [{ searched: 1, total: 1, is_complete: true }, "the only customer"],
  [{ searched: 0, total: 0, is_complete: true }, "all 0 customers"],
  [
    { searched: 1_000, total: 12_345, is_complete: false },
    "the newest 1,000 of 12,345 customers",
  ],
  [{ searched: 1_000, total: null, is_complete: false }, "the newest 1,000 customers"],
  [{ searched: 1_000, total: 900, is_complete: false }, "the newest 1,000 customers"],
])("says how far was searched: %o", (searched, text) => {
  expect(describeExtent(words("format"), searched, "customer")).toBe(text);
});

test("it says so in the reader's language", () => {
  const extent = { searched: 1_000, total: 12_345, is_complete: false };
  expect(describeExtent(words("format", "ne"), searched, "subscription")).toBe(
    "१२,३४५ मध्ये सबैभन्दा नयाँ १,००० सदस्यता",
  );
});
