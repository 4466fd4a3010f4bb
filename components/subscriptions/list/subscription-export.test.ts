import { expect, test } from "vitest";
import { SUBSCRIPTION_COLUMNS } from "#lib/columns/rules.ts";
import { columnsForFile } from "#lib/search/export/rules.ts";

test("every column that can be chosen for the list is in a file of that list", () => {
  for (const column of SUBSCRIPTION_COLUMNS) expect(columnsForFile([column])).toContain(column);
});
