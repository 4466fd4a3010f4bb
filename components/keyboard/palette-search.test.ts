import { describe, expect, test } from "vitest";
import { matchRank } from "#lib/text/match-text.ts";
import { searchGroups, looseMatchRank, readSubscriptionId } from "./palette-search.ts";

const DUE = { title: "Due subscriptions", words: "unpaid overdue बक्यौता" };

describe("an entry", () => {
  test("is found by its words in any order, by other words for it and in either language", () => {
    for (const typed of ["due", "subs due", "unpaid", "बक्यौता", "DUE  Sub"])
      expect(matchRank(DUE, typed), typed).toBeGreaterThan(0);
    expect(matchRank(DUE, "due paid later")).toBe(0);
  });

  test("is found without its accents and Devanagari's finer signs", () => {
    expect(matchRank({ title: "Café Éclair" }, "cafe eclair")).toBeGreaterThan(0);
    expect(matchRank({ title: "तपाईँको खाता" }, "तपाईंको")).toBeGreaterThan(0);
  });

  test("stands the nearer the more of its title was meant", () => {
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

describe("an entry for mistyped words", () => {
  test("is found with one slip in each word, in both scripts", () => {
    const slips = {
      "Due subscriptions": [
        "subscirptions",
        "subscritions",
        "subbscri",
        "supscriptions",
        "due xubs",
      ],
      "सदस्यता सूची": ["सदस्याता", "सदसयता", "सूचि सदस्यत"],
    };
    for (const [title, typed] of Object.entries(slips))
      for (const words of typed) expect(looseMatchRank({ title }, words), words).toBe(2);
  });

  test("is found by the letters that somebody in a hurry leaves", () => {
    expect(looseMatchRank({ title: "Products" }, "prdcts")).toBe(2);
    expect(looseMatchRank({ title: "Team" }, "tem")).toBe(2);
    expect(looseMatchRank({ title: "Seller settings", words: "business" }, "bsns")).toBe(1);
  });

  test("is not found by other words, nor by two slips in one", () => {
    expect(looseMatchRank(DUE, "subzkriptions")).toBe(0);
    expect(looseMatchRank(DUE, "dux")).toBe(0);
    expect(looseMatchRank(DUE, "subscriptions tomorrow")).toBe(0);
  });
});

describe("groups", () => {
  const groups = [
    { id: "pages", items: [{ title: "Products" }, { title: "Customers", note: "due" }] },
    { id: "lists", items: [{ title: "Overdue" }, DUE] },
    { id: "recent", items: [] },
  ];

  test("come with the nearest first", () => {
    expect(searchGroups(groups, "due", 5)).toEqual([
      { id: "lists", items: [DUE, { title: "Overdue" }] },
      { id: "pages", items: [{ title: "Customers", note: "due" }] },
    ]);
  });

  test("are all there while nothing is typed, but for empty ones", () => {
    expect(searchGroups(groups, " ", 5).map(({ id }) => id)).toEqual(["pages", "lists"]);
  });

  test("show no more than asked for", () => {
    expect(searchGroups(groups, "due", 1)[0]?.items).toEqual([DUE]);
  });
});

describe("a subscription", () => {
  const id = "0b0c5f8e-2f1a-4d55-9a9e-0d7f4d9f7a11";

  test("is named by its id, its checkout link or the address of its page", () => {
    expect(readSubscriptionId(` ${id.toUpperCase()} `)).toBe(id);
    expect(readSubscriptionId(`https://pay.example/pay/${id}`)).toBe(id);
    expect(readSubscriptionId(`https://desk.example/0123456789/test/subscriptions/${id}`)).toBe(
      id,
    );
    expect(readSubscriptionId("https://pay.example/base/pay/sub_12?x=1")).toBe("sub_12");
  });

  test("is named by no other words", () => {
    expect(readSubscriptionId("fresh milk")).toBeNull();
    expect(readSubscriptionId("https://pay.example/")).toBeNull();
  });
});
