import { expect, test } from "vitest";
import { acceptedLanguage } from "./languages.ts";

test.each([
  [null, "en"],
  ["", "en"],
  ["ne-NP,ne;q=0.9,en;q=0.8", "ne"],
  ["en-GB,en;q=0.9,ne;q=0.8", "en"],
  ["fr-FR, ne;q=0.4, en;q=0.2", "ne"],
  ["ne;q=0, en", "en"],
  ["hi-IN,hi;q=0.9", "en"],
  [";;;,q=,ne;q=x", "en"],
])("the Accept-Language header %j selects the language %s", (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});
