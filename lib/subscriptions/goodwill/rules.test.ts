import { expect, test } from "vitest";
import { goodwillProblem, EMPTY_GOODWILL } from "./rules.ts";

test("a goodwill extension needs a reason, and the reason “other” needs a text", () => {
  expect(goodwillProblem(EMPTY_GOODWILL)).toBe("reason");
  expect(goodwillProblem({ reason: "away", words: "" })).toBeNull();
  expect(goodwillProblem({ reason: "other", words: " \n " })).toBe("words");
  expect(goodwillProblem({ reason: "other", words: "A wedding" })).toBeNull();
});
