import { describe, expect, test } from "vitest";
import { subscriptionIdIn, searchGroups } from "./palette-search.ts";

const DUE = { title: "Due subscriptions", words: "unpaid overdue बक्यौता" };

describe("the groups of the command palette", () => {
  const groups = [
    { id: "pages", items: [{ title: "Products" }, { title: "Customers", note: "due" }] },
    { id: "lists", items: [{ title: "Overdue" }, DUE] },
    { id: "recent", items: [] },
  ];

  test("come with the best match first", () => {
    expect(searchGroups(groups, "due", 5)).toEqual([
      { id: "lists", items: [DUE, { title: "Overdue" }] },
      { id: "pages", items: [{ title: "Customers", note: "due" }] },
    ]);
  });

  test("are all listed while nothing is typed, except empty groups", () => {
    expect(searchGroups(groups, " ", 5).map(({ id }) => id)).toEqual(["pages", "lists"]);
  });

  test("show at most the given number of entries", () => {
    expect(searchGroups(groups, "due", 1)[0]?.items).toEqual([DUE]);
  });
});

describe("a subscription typed into the command palette", () => {
  const id = "0b0c5f8e-2f1a-4d55-9a9e-0d7f4d9f7a11";

  test("is recognised by its id, its checkout link or the URL of its page", () => {
    expect(subscriptionIdIn(` ${id.toUpperCase()} `)).toBe(id);
    expect(subscriptionIdIn(`https://pay.example/pay/${id}`)).toBe(id);
    expect(subscriptionIdIn(`https://desk.example/0123456789/test/subscriptions/${id}`)).toBe(
      id,
    );
    expect(subscriptionIdIn("https://pay.example/base/pay/sub_12?x=1")).toBe("sub_12");
  });

  test("is not recognised in text without an id or a link", () => {
    expect(subscriptionIdIn("fresh milk")).toBeNull();
    expect(subscriptionIdIn("https://pay.example/")).toBeNull();
  });
});
