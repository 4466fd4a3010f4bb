import { expect, test } from "vitest";
import { searchTokens, searchWords, phoneticToken } from "./search-text.ts";

const EMPTY_TEXTS = { names: [], phones: [], words: [] };

test("a record's words are folded, its phones' digits both ways, its names by their sound too", () => {
  const words = searchTokens({
    names: ["सरस्वती Śarmā", null],
    phones: ["+977 980-0000001", undefined],
    words: ["Asha@Example.com", "Gold Plus", ""],
  });
  expect(words.join(" ")).toBe(
    "=सरस्वती =sarma asha@example.com example.com com =gold =plus 9800000001 <1000000089 ~srsbti ~srm ~gold ~plus",
  );
});

test("what begins within a name or an address is found, but not within an id", () => {
  const found = (word: string) => searchTokens({ ...EMPTY_TEXTS, words: [word] }).slice(1);
  expect(found("Rana-Magar")).toEqual(["=magar", "~mgr"]);
  expect(found("7c1a2b3c-4d5e")).toEqual([]);
  expect(found("r.4@himal.np")).toEqual(["4@himal.np", "himal.np", "np"]);
});

test("an empty record has no tokens", () => {
  expect(searchTokens(EMPTY_TEXTS)).toEqual([]);
  expect(searchTokens({ ...EMPTY_TEXTS, names: ["%_\\"] })).toEqual([]);
});

test("search input is folded like records", () => {
  expect(searchWords("  O'Neill,  ÁSHA% ")).toEqual(["oneill", "asha"]);
  expect(phoneticToken("Saraswati")).toBe("~srsbti");
  expect(phoneticToken("%")).toBeNull();
});
