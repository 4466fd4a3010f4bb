import { expect, test } from "vitest";
import { budgetFor, routesOverBudget } from "./bundle.ts";

const KIB = 1024;
const sizeOf = (route: string, kib: number) => ({ route, raw: 3 * kib * KIB, gzip: kib * KIB });

test("a page within its budget, or over it by less than two builds can differ, is not reported", () => {
  expect(
    routesOverBudget([sizeOf("/sign-in", 150), sizeOf("/sign-up", 150.4)], {
      "/sign-in": 150,
      "/sign-up": 150,
    }),
  ).toEqual([]);
});

test("a page over its budget is reported with its size and the excess", () => {
  expect(
    routesOverBudget([sizeOf("/sign-in", 152.5), sizeOf("/sign-up", 150)], {
      "/sign-in": 150,
      "/sign-up": 150,
    }),
  ).toEqual(["/sign-in sends 152.5 KiB: 2.5 more than its 150."]);
});

test("a new page needs a budget, and a removed page must have none", () => {
  expect(routesOverBudget([sizeOf("/new", 1)], { "/old": 1 })).toEqual([
    "/new has no budget yet.",
    "/old has a budget, but there is no such page.",
  ]);
});

test("a new budget is the size in whole KiB, rounded up", () => {
  expect(budgetFor([sizeOf("/sign-in", 150), sizeOf("/sign-up", 149.75)])).toEqual({
    "/sign-in": 150,
    "/sign-up": 150,
  });
});
