import { describe, expect, test } from "vitest";
import { phoneticToken, searchTokens, searchWords, soundKey } from "./search-text.ts";

const EMPTY_TEXTS = { names: [], phones: [], words: [] };

test("the tokens of a record are its normalized words, phone digits in both directions, and sounds of names", () => {
  const words = searchTokens({
    names: ["सरस्वती Śarmā", null],
    phones: ["+977 980-0000001", undefined],
    words: ["Asha@Example.com", "Gold Plus", ""],
  });
  expect(words.join(" ")).toBe(
    "=सरस्वती =sarma asha@example.com example.com com =gold =plus 9800000001 <1000000089 ~srsbti ~srm ~gold ~plus",
  );
});

test("parts of a name or email become search tokens, and parts of an id do not", () => {
  const found = (word: string) => searchTokens({ ...EMPTY_TEXTS, words: [word] }).slice(1);
  expect(found("Rana-Magar")).toEqual(["=magar", "~mgr"]);
  expect(found("7c1a2b3c-4d5e")).toEqual([]);
  expect(found("r.4@himal.np")).toEqual(["4@himal.np", "himal.np", "np"]);
});

test("an empty record has no search tokens", () => {
  expect(searchTokens(EMPTY_TEXTS)).toEqual([]);
  expect(searchTokens({ ...EMPTY_TEXTS, names: ["%_\\"] })).toEqual([]);
});

test("a search text is normalized like the texts of records", () => {
  expect(searchWords("  O'Neill,  ÁSHA% ")).toEqual(["oneill", "asha"]);
  expect(phoneticToken("Saraswati")).toBe("~srsbti");
  expect(phoneticToken("%")).toBeNull();
});

describe("the sound keys of", () => {
  test.each([
    ["सरस्वती", "Saraswati", "Sarasvatee", "SARASWATI"],
    ["श्रेष्ठ", "Shrestha", "Srestha", "Shresta"],
    ["लक्ष्मी", "Laxmi", "Lakshmi", "Lakshmee"],
    ["विष्णु", "Bishnu", "Vishnu", "Wishnu"],
    ["कृष्ण", "Krishna", "Krisna"],
    ["क्षेत्री", "Chhetri", "Kshetri", "Chettri"],
    ["पोखरेल", "Pokharel", "Pokhrel"],
    ["पौडेल", "Paudel", "Poudel"],
    ["ज्ञवाली", "Gyawali", "Gyavali"],
    ["भट्टराई", "Bhattarai", "Bhatarai"],
    ["गुरुङ", "Gurung", "Gooroong"],
    ["सिंह", "Singh"],
    ["शंभु", "Shambhu", "Sambhu"],
    ["उपाध्याय", "Upadhyay", "Upadhyaya"],
    ["राजभण्डारी", "Rajbhandari"],
    ["दीपक", "Deepak", "Dipak"],
    ["आशा", "Asha", "Aasha"],
    ["ऐश्वर्य", "Aishwarya"],
    ["क़ाज़ी", "काजी", "Kaji", "Kazi"],
    ["नवीन", "Nabin", "Naveen", "Nabín"],
  ])("all spellings of one name are equal: %s", (...spellings) => {
    expect(new Set(spellings.map(soundKey)).size).toBe(1);
  });

  test.each([
    ["Sita", "Sati"],
    ["Ram", "Rim"],
    ["Gita", "Kita"],
    ["Maya", "Mira"],
    ["आशा", "ईशा"],
  ])("%s and %s are different", (one, other) => {
    expect(soundKey(one)).not.toBe(soundKey(other));
  });
});

test("the sound key of the beginning of a name begins the sound key of the name, in both scripts", () => {
  for (const part of ["sara", "saras", "saraswa", "सर", "सरस्"])
    expect(soundKey("सरस्वती शर्मा").startsWith(soundKey(part))).toBe(true);
});

test("a sound key separates words by one space, keeps digits and drops punctuation", () => {
  expect(soundKey("  सरस्वती,  श्रेष्ठ-२ ")).toBe("srsbti srest 2");
  expect(soundKey("—!%_\\")).toBe("");
  expect(soundKey("O'Neill 11")).toBe("oneil 11");
});
