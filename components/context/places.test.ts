import { expect, test } from "vitest";
import { PLACES, placeOfPath, type PlaceId } from "./places.ts";

test.each([
  ...Object.entries(PLACES).map(([id, { path }]) => [path, id] as [string, PlaceId]),
  ["/reports/reminders", "reports"],
  ["/payments", "payments"],
  ["/subscriptions/0b1e", "subscriptions"],
  ["/subscriptions/bulk/7", "bulk"],
  ["/subscriptions/import/7", "import"],
  ["/settings/webhooks/deliveries/7", "deliveries"],
  ["/subscriptionsandmore", "overview"],
] as const)("the path %o belongs to the place %s of the dashboard", (path, id) => {
  expect(placeOfPath(path)).toBe(id);
});
