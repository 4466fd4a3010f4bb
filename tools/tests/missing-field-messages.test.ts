import { expect, test } from "vitest";
import en from "#lib/i18n/messages/en/create.json" with { type: "json" };
import ne from "#lib/i18n/messages/ne/create.json" with { type: "json" };
import { FIELD_PATHS } from "#components/subscriptions/create/create-subscription-values.ts";

const textAt = (words: object, path: string): unknown =>
  path.split(".").reduce<unknown>((at, name) => Object(at)[name], words);

test.each(FIELD_PATHS)("both languages have a specific message for a missing %s", (path) => {
  const others = FIELD_PATHS.filter((other) => other !== path);
  for (const { missing } of [en, ne]) {
    const words = textAt(missing, path);
    expect(words).toEqual(expect.stringMatching(/\S/));
    expect(others.map((other) => textAt(missing, other))).not.toContain(words);
  }
});
