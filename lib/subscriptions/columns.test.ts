import { expect, test } from "vitest";
import {
  arrangeColumns,
  isDefault,
  moveColumn,
  readColumns,
  SUBSCRIPTION_COLUMNS,
} from "./columns.ts";

test("a user who chose no columns sees all of them in the default order", () => {
  expect(readColumns(null)).toEqual(SUBSCRIPTION_COLUMNS);
  expect(isDefault(readColumns(null))).toBe(true);
});

test("the chosen column order is kept, unknown columns are dropped, and the buyer column is always shown", () => {
  expect(readColumns(["price", "buyer", "price", "gone"])).toEqual(["price", "buyer"]);
  expect(readColumns(["status"])).toEqual(["buyer", "status"]);
  expect(isDefault(["price", "buyer"])).toBe(false);
});

test("the column chooser lists hidden columns after the shown ones", () => {
  expect(arrangeColumns(["status", "buyer"]).slice(0, 3)).toEqual(["status", "buyer", "phone"]);
  expect(arrangeColumns(["status", "buyer"])).toHaveLength(SUBSCRIPTION_COLUMNS.length);
});

test("a column moves by one place, but not past the first or last place", () => {
  expect(moveColumn(["a", "b", "c"], 2, -1)).toEqual(["a", "c", "b"]);
  expect(moveColumn(["a", "b", "c"], 0, 1)).toEqual(["b", "a", "c"]);
  expect(moveColumn(["a", "b"], 0, -1)).toEqual(["a", "b"]);
  expect(moveColumn(["a", "b"], 1, 1)).toEqual(["a", "b"]);
});
