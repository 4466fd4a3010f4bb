import { expect, test } from "vitest";
import { searchText, searchWords, soundMark } from "./search-text.ts";

const NOBODY = { names: [], phones: [], words: [] };

test("a record's words stand folded after a blank, its names by their sound behind them", () => {
  const text = searchText({
    names: ["सरस्वती Śarmā", null],
    phones: ["+977 980-0000001", undefined],
    words: ["Asha@Example.com", "Gold Plus", ""],
  });
  expect(text).toBe(" सरस्वती sarma asha@example.com gold plus 9800000001 ~srsbti ~srm");
});

test("nobody's record has no words", () => {
  expect(searchText(NOBODY)).toBe("");
  expect(searchText({ ...NOBODY, names: ["%_\\"] })).toBe("");
});

test("what was typed is folded alike", () => {
  expect(searchWords("  O'Neill,  ÁSHA% ")).toEqual(["oneill", "asha"]);
  expect(soundMark("Saraswati")).toBe("~srsbti");
  expect(soundMark("%")).toBeNull();
});
