import { expect, test } from "vitest";
import { can, ROLES } from "./permissions.ts";

test("every role can read, only a viewer cannot create", () => {
  expect(ROLES.filter((role) => can(role, "subscriptions:read"))).toEqual(ROLES);
  expect(ROLES.filter((role) => !can(role, "subscriptions:create"))).toEqual(["viewer"]);
});
