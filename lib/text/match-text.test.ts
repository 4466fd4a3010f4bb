import { describe, expect, test } from "vitest";
import { looseMatchRank, matchRank } from "./match-text.ts";

const DUE = { title: "Due subscriptions", words: "unpaid overdue बक्यौता" };

describe("an exact match", () => {
  test("finds an entry by its words in any order, by synonyms and in either language", () => {
    for (const typed of ["due", "subs due", "unpaid", "बक्यौता", "DUE  Sub"])
      expect(matchRank(DUE, typed), typed).toBeGreaterThan(0);
    expect(matchRank(DUE, "due paid later")).toBe(0);
  });

  test("ignores accents and spelling variants in Devanagari", () => {
    expect(matchRank({ title: "Café Éclair" }, "cafe eclair")).toBeGreaterThan(0);
    expect(matchRank({ title: "तपाईँको खाता" }, "तपाईंको")).toBeGreaterThan(0);
  });

  test("ranks an entry higher the better its title matches", () => {
    const typed = "due";
    const ranks = [
      DUE,
      { title: "Due" },
      { title: "List of due ones" },
      { title: "Overdue" },
      { title: "Late", words: "due" },
    ].map((entry) => matchRank(entry, typed));
    expect(ranks).toEqual([4, 5, 3, 2, 1]);
  });
});

describe("a loose match", () => {
  test("allows one typing error in each word, in Latin and Devanagari script", () => {
    const mistyped = {
      "Due subscriptions": [
        "subscirptions",
        "subscritions",
        "subbscri",
        "supscriptions",
        "due xubs",
      ],
      "सदस्यता सूची": ["सदस्याता", "सदसयता", "सूचि सदस्यत"],
    };
    for (const [title, typed] of Object.entries(mistyped))
      for (const words of typed) expect(looseMatchRank({ title }, words), words).toBe(2);
  });

  test("allows missing letters", () => {
    expect(looseMatchRank({ title: "Products" }, "prdcts")).toBe(2);
    expect(looseMatchRank({ title: "Team" }, "tem")).toBe(2);
    expect(looseMatchRank({ title: "Seller settings", words: "business" }, "bsns")).toBe(1);
  });

  test("rejects different words, and two typing errors in one word", () => {
    expect(looseMatchRank(DUE, "subzkriptions")).toBe(0);
    expect(looseMatchRank(DUE, "dux")).toBe(0);
    expect(looseMatchRank(DUE, "subscriptions tomorrow")).toBe(0);
  });
});
