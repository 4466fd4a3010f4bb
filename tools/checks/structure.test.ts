import { expect, it } from "vitest";
import { placeProblemOf } from "./structure.ts";

it.each([
  ["app/subscriptions/table.tsx", ""],
  ["lib/subscriptions/data.ts", "export const a = 1;"],
  ["lib/subscriptions/actions.ts", "export const a = 1;"],
  ["lib/subscriptions/helpers.ts", ""],
  ["components/ui/CopyButton.tsx", ""],
])("the file %s is reported as misplaced", (path, text) => {
  expect(placeProblemOf(path, text)).not.toBeNull();
});

it.each([
  ["app/(dashboard)/subscriptions/page.tsx", ""],
  ["lib/subscriptions/data.ts", 'import "server-only";\n'],
  ["lib/billing/client.ts", ""],
  ["service/subscriptions/create.db.test.ts", ""],
])("the file %s is accepted at its place", (path, text) => {
  expect(placeProblemOf(path, text)).toBeNull();
});
