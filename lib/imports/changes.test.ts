import { expect, test } from "vitest";
import { DefaultTexts } from "./changes.ts";

test("invalid defaults for empty cells are refused with a message for their field", () => {
  const problems = (given: Record<string, string>) =>
    DefaultTexts.safeParse({ pbp_id: "", email: "", address: "", ...given }).error?.issues.map(
      ({ path, message }) => [...path, message].join(" "),
    );
  expect(problems({ email: "nobody" })).toEqual(["email fields.email.invalid"]);
  expect(problems({ address: "Pa\u202etan" })).toEqual(["address fields.hidden"]);
  expect(problems({ address: "a".repeat(501) })?.join()).toMatch(
    /^address fields\.name\.tooLong/,
  );
  expect(problems({})).toBeUndefined();
});
