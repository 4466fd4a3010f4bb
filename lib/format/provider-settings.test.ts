import { expect, test } from "vitest";
import {
  formatOf,
  isEssential,
  labelOfSetting,
  readSetting,
  typedSetting,
} from "./provider-settings.ts";

const setting = (standard: string | null, kind = "json") => ({
  name: "words",
  kind,
  description: "",
  choices: [],
  standard,
  is_required: false,
});

test.each([
  ["baseUrl", "Base URL"],
  ["accountSid", "Account SID"],
  ["from", "From"],
  ["api_key", "API key"],
])("the setting %s is labelled %s", (name, label) => {
  expect(labelOfSetting(name)).toBe(label);
});

test("a list setting is typed with commas, and a list of numbers stays a list of numbers", () => {
  const words = setting("[]");
  expect(readSetting(words, " not found, , 42 ")).toBe('["not found","42"]');
  expect(typedSetting(words, '["not found","42"]')).toBe("not found, 42");
  expect(readSetting(setting("[200,201]"), "200, 202")).toBe("[200,202]");
  expect(formatOf(words)).toBe("list");
});

test("a setting of name-value pairs is typed as one pair per line, and a value may contain “=”", () => {
  const pairs = setting("{}");
  expect(readSetting(pairs, "route = np\n\nkey=a=b")).toBe('{"route":"np","key":"a=b"}');
  expect(typedSetting(pairs, '{"route":"np","key":"a=b"}')).toBe("route = np\nkey = a=b");
  expect(formatOf(pairs)).toBe("pairs");
});

test("an empty setting stays empty, and a text setting is only trimmed", () => {
  expect(readSetting(setting("[]"), " ")).toBe("");
  expect(readSetting(setting("587", "number"), " 465 ")).toBe("465");
  expect(typedSetting(setting("[]", "text"), "[a]")).toBe("[a]");
});

test("a required setting and a password are essential, and an optional return path is not", () => {
  expect(isEssential({ ...setting(null), is_required: true })).toBe(true);
  expect(isEssential({ ...setting(null), name: "password" })).toBe(true);
  expect(isEssential({ ...setting(null), name: "returnPath" })).toBe(false);
});
