import { beforeEach, expect, test } from "vitest";
import { forgetDrafts } from "#components/forms/draft-memory.ts";
import { kindOfRecordAt, readRecent, addRecent } from "./recent-records.ts";

const himal = { seller: "himal", mode: "test" } as const;
const milk = { kind: "product", id: "1", title: "Milk", note: "" } as const;
const asha = { kind: "customer", id: "1", title: "Asha", note: "" } as const;

beforeEach(() => sessionStorage.clear());

test("the last opened record comes first, and a reopened record is listed once under its newest name", () => {
  addRecent("me", himal, milk);
  addRecent("me", himal, asha);
  addRecent("me", himal, { ...milk, title: "Fresh milk" });
  expect(readRecent("me", himal)).toEqual([{ ...milk, title: "Fresh milk" }, asha]);
});

test("the list of recent records keeps the eight newest records", () => {
  for (let id = 1; id <= 20; id++) addRecent("me", himal, { ...milk, id: String(id) });
  const ids = readRecent("me", himal).map(({ id }) => id);
  expect(ids).toEqual(["20", "19", "18", "17", "16", "15", "14", "13"]);
});

test("recent records are kept per seller and mode, and deleted when another person uses the tab", () => {
  addRecent("me", himal, milk);
  expect(readRecent("me", { ...himal, mode: "live" })).toEqual([]);
  expect(readRecent("me", { ...himal, seller: "terai" })).toEqual([]);
  expect(readRecent("me", himal)).toEqual([milk]);
  expect(readRecent("you", himal)).toEqual([]);
  expect(readRecent("me", himal)).toEqual([]);
});

test("signing out clears the list of recent records", () => {
  addRecent("me", himal, milk);
  forgetDrafts();
  expect(readRecent("me", himal)).toEqual([]);
});

test("the path of a record's page is distinguished from the paths of lists and forms", () => {
  const paths = ["/subscriptions/7c1", "/customers/7", "/products/p1", "/subscriptions/new"];
  expect(paths.map(kindOfRecordAt)).toEqual(["subscription", "customer", "product", null]);
  expect(
    ["/subscriptions/bulk", "/customers/of/7", "/products", ""].map(kindOfRecordAt),
  ).toEqual([null, null, null, null]);
});
