import { expect, test } from "vitest";
import {
  viewSearchFrom,
  readViewName,
  viewIdFrom,
  findViewFor,
  viewPath,
  type View,
} from "./rules.ts";

const scope = { seller: "0123456789", mode: "test" } as const;
const view = (changes: Partial<View>): View => ({
  id: "5f0c1d5e-0000-4000-8000-000000000001",
  name: "Due",
  is_shared: false,
  query: "status=due&plan=Gold",
  words: "",
  ...changes,
});

test("a saved view's URL contains its filters, but its id instead of its search text", () => {
  const parameters = (one: View) => new URL(viewPath(scope, one), "http://x").searchParams;
  expect(viewPath(scope, view({}))).toBe("/0123456789/test/subscriptions?status=due&plan=Gold");
  expect(viewPath(scope, view({ query: "" }))).toBe("/0123456789/test/subscriptions");
  const searched = view({ words: "Asha 9800000001" });
  expect(viewPath(scope, searched)).not.toMatch(/asha|98/i);
  expect(viewIdFrom(parameters(searched))).toBe(searched.id);
  expect(viewSearchFrom(parameters(searched), "Asha 9800000001")).toEqual({
    query: searched.query,
    words: "Asha 9800000001",
  });
});

test("a list belongs to the view with its filters and search text; of equal views the opened one is chosen", () => {
  const views = [view({ id: "a", words: "asha" }), view({ id: "b" }), view({ id: "c" })];
  const at = (address: string, words = "", opened: string | null = null) =>
    findViewFor(views, viewSearchFrom(new URLSearchParams(address), words), opened)?.id;
  expect(at("status=due&plan=Gold&page=3&page_size=50")).toBe("b");
  expect(at("status=due&plan=Gold", "", "c")).toBe("c");
  expect(at("plan=Gold&status=due")).toBe("b");
  expect(at("status=due&plan=Gold", "  Asha ")).toBe("a");
  expect(at("status=due&plan=Gold", "maya")).toBeUndefined();
  expect(at("status=due")).toBeUndefined();
});

test.each([
  ["  Due,\u00a0gold  ", "Due, gold"],
  ["बक्यौता", "बक्यौता"],
  ["", null],
  [" \u200b ", null],
  ["a\nb", null],
  ["\u202eeud", null],
  ["x".repeat(60), "x".repeat(60)],
  ["x".repeat(61), null],
])("the typed view name %j is read as %j", (typed, name) => {
  expect(readViewName(typed)).toBe(name);
});
