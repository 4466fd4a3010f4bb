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

test("a list is typed with commas, and numbers stay numbers", () => {
  const words = setting("[]");
  expect(readSetting(words, " not found, , 42 ")).toBe('["not found","42"]');
  expect(typedSetting(words, '["not found","42"]')).toBe("not found, 42");
  expect(readSetting(setting("[200,201]"), "200, 202")).toBe("[200,202]");
  expect(formatOf(words)).toBe("list");
});

test("pairs are typed as lines; an equals sign may be in a value", () => {
  const pairs = setting("{}");
  expect(readSetting(pairs, "route = np\n\nkey=a=b")).toBe('{"route":"np","key":"a=b"}');
  expect(typedSetting(pairs, '{"route":"np","key":"a=b"}')).toBe("route = np\nkey = a=b");
  expect(formatOf(pairs)).toBe("pairs");
});

test("an empty value stays empty, and text is only trimmed", () => {
  expect(readSetting(setting("[]"), " ")).toBe("");
  expect(readSetting(setting("587", "number"), " 465 ")).toBe("465");
  expect(typedSetting(setting("[]", "text"), "[a]")).toBe("[a]");
});

test("required settings and those that most sellers need are essential", () => {
  expect(isEssential({ ...setting(null), is_required: true })).toBe(true);
  expect(isEssential({ ...setting(null), name: "password" })).toBe(true);
  expect(isEssential({ ...setting(null), name: "returnPath" })).toBe(false);
});
