import { describe, expect, test } from "vitest";
import { soundKey } from "./romanize.ts";

describe("one name sounds the same", () => {
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
  ])("%s", (...spellings) => {
    expect(new Set(spellings.map(soundKey)).size).toBe(1);
  });

  test.each([
    ["Sita", "Sati"],
    ["Ram", "Rim"],
    ["Gita", "Kita"],
    ["Maya", "Mira"],
    ["आशा", "ईशा"],
  ])("but %s is not %s", (one, other) => {
    expect(soundKey(one)).not.toBe(soundKey(other));
  });
});

test("a beginning has the beginning of the key, in either script", () => {
  for (const part of ["sara", "saras", "saraswa", "सर", "सरस्"])
    expect(soundKey("सरस्वती शर्मा").startsWith(soundKey(part))).toBe(true);
});

test("words are parted by one blank, digits stay, and nothing is left of signs", () => {
  expect(soundKey("  सरस्वती,  श्रेष्ठ-२ ")).toBe("srsbti srest 2");
  expect(soundKey("—!%_\\")).toBe("");
  expect(soundKey("O'Neill 11")).toBe("oneil 11");
});
