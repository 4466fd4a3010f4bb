import { expect, test } from "vitest";
import { searchTerms } from "./search-terms.ts";

const patterns = (text: string) => searchTerms(text).map((term) => term.patterns);

test("a word is looked for by its letters and by its sound", () => {
  expect(patterns("Saraswati as")).toEqual([
    ["%saraswati%", "% ~srsbti%"],
    ["% as%", "% ~as%"],
  ]);
  expect(patterns("सर")).toEqual([["% ~sr%"]]);
});

test.each([
  ["9800000001", ["%9800000001%"]],
  ["+977 980-0000001", ["%9800000001%", "%9779800000001%"]],
  ["९८००", ["%9800%"]],
  ["0123-4567", ["%1234567%", "%01234567%", "%0123-4567%"]],
])("a phone number stays whole: %s", (typed, expected) => {
  expect(patterns(typed)).toEqual([expected]);
});

test("a name and a phone number are two terms", () => {
  expect(patterns("asha 980 000 0001")).toHaveLength(2);
  expect(patterns("plan 2 10")).toEqual([["%plan%", "% ~pln%"], ["% 2%"], ["% 10%"]]);
});

test("signs with a meaning for the database are letters like others", () => {
  expect(patterns("a_b %")).toEqual([["%a\\_b%", "% ~ab%"]]);
});

test("nothing typed is no term, and nobody types without end", () => {
  expect(searchTerms("  % ' ")).toEqual([]);
  expect(searchTerms("word ".repeat(100))).toHaveLength(8);
});
