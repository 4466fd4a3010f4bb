import { expect, test } from "vitest";
import { editDistance, searchTerms } from "./search-terms.ts";

const heads = (text: string) => searchTerms(text).map((term) => term.heads);

test("a search word matches by its letters and by its sound", () => {
  expect(heads("Saraswati as")).toEqual([
    ["=saraswati", "saraswati", "~srsbti"],
    ["=as", "as", "~as"],
  ]);
  expect(heads("सर s")).toEqual([
    ["=सर", "सर", "~sr"],
    ["=s", "s"],
  ]);
});

test.each([
  ["9800000001", ["9800000001", "<1000000089"]],
  ["+977 980-0000001", ["9800000001", "9779800000001", "<1000000089", "<1000000089779"]],
  ["९८००", ["9800", "<0089"]],
  ["0123-4567", ["1234567", "01234567", "0123-4567", "<7654321", "<76543210"]],
  ["123", ["123"]],
])(
  "a phone number is one search term and also matches by its last digits: %s",
  (typed, expected) => {
    expect(heads(typed)).toEqual([expected]);
  },
);

test("a name and a phone number are two search terms", () => {
  expect(heads("asha 980 000 0001")).toHaveLength(2);
  expect(heads("plan 2 10")).toEqual([["=plan", "plan", "~pln"], ["2"], ["10"]]);
});

test("an empty search has no terms, and a long search is limited to eight terms", () => {
  expect(searchTerms("  % ' ")).toEqual([]);
  expect(searchTerms("word ".repeat(100))).toHaveLength(8);
});

test.each([
  ["", "", 0],
  ["srest", "srest", 0],
  ["srset", "srest", 1],
  ["bismu", "bisnu", 1],
  ["srsboti", "srsbti", 1],
  ["", "abc", 3],
  ["abc", "", 3],
  ["prkas", "krisn", 4],
])(
  "the words %j and %j have an edit distance of %i, in both directions",
  (one, other, apart) => {
    expect([editDistance(one, other), editDistance(other, one)]).toEqual([apart, apart]);
  },
);
