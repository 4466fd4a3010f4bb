import { expect, test } from "vitest";
import { courtesyProblem, NO_COURTESY } from "./rules.ts";

test("a courtesy names its reason: none is taken for granted", () => {
  expect(courtesyProblem(NO_COURTESY)).toBe("reason");
  expect(courtesyProblem({ reason: "away", words: "" })).toBeNull();
  expect(courtesyProblem({ reason: "other", words: " \n " })).toBe("words");
  expect(courtesyProblem({ reason: "other", words: "A wedding" })).toBeNull();
});
