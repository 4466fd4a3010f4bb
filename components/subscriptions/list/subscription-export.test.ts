import { expect, test } from "vitest";
import { SUBSCRIPTION_COLUMNS } from "#lib/subscriptions/columns.ts";
import { columnsForFile } from "#lib/subscriptions/export/columns.ts";

test("every column of the list of subscriptions can be exported", () => {
  for (const column of SUBSCRIPTION_COLUMNS) expect(columnsForFile([column])).toContain(column);
});
