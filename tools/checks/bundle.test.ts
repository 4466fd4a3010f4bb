import { expect, test } from "vitest";
import { budgetFor, routesOverBudget } from "./bundle.ts";

const KIB = 1024;
const sizeOf = (route: string, kib: number) => ({ route, raw: 3 * kib * KIB, gzip: kib * KIB });

test("a page within its size budget, or over it by no more than builds vary, is not reported", () => {
  expect(
    routesOverBudget([sizeOf("/sign-in", 150), sizeOf("/sign-up", 150.4)], {
      "/sign-in": 150,
      "/sign-up": 150,
    }),
  ).toEqual([]);
});

test("a page over its size budget is reported with its size and the excess", () => {
  expect(
    routesOverBudget([sizeOf("/sign-in", 152.5), sizeOf("/sign-up", 150)], {
      "/sign-in": 150,
      "/sign-up": 150,
    }),
  ).toEqual(["/sign-in sends 152.5 KiB: 2.5 more than its 150."]);
});

test("a new page without a budget and a budget without a page are reported", () => {
  expect(routesOverBudget([sizeOf("/new", 1)], { "/old": 1 })).toEqual([
    "/new has no budget yet.",
    "/old has a budget, but there is no such page.",
  ]);
});

test("a new size budget is the page's size rounded up to whole KiB", () => {
  expect(budgetFor([sizeOf("/sign-in", 150), sizeOf("/sign-up", 149.75)])).toEqual({
    "/sign-in": 150,
    "/sign-up": 150,
  });
});
