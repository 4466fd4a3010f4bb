import { expect, test } from "vitest";
import { createPerson } from "#tools/testing/person.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { saveColumns, selectColumns } from "./data.ts";
import { SUBSCRIPTION_COLUMNS } from "./columns.ts";

useDashboardDatabase();

test("a user's choice of list columns can be changed and reset without affecting other users", async () => {
  const [maya, asha] = [await createPerson(pool), await createPerson(pool)];
  await saveColumns(pool, maya.id, ["status", "buyer"]);
  await saveColumns(pool, maya.id, ["price", "buyer"]);
  expect(await selectColumns(pool, maya.id)).toEqual(["price", "buyer"]);
  expect(await selectColumns(pool, asha.id)).toEqual(SUBSCRIPTION_COLUMNS);
  await saveColumns(pool, maya.id, null);
  expect(await selectColumns(pool, maya.id)).toEqual(SUBSCRIPTION_COLUMNS);
});
