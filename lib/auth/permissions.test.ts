import { expect, test } from "vitest";
import {
  can,
  canAssign,
  PERMISSIONS,
  ROLES,
  type Permission,
  type Role,
} from "./permissions.ts";

const WRITES = PERMISSIONS.filter(
  (permission) => !/:(open|read)$/.test(permission) && permission !== "account:manage",
);
const CLOSED_TO_SUPPORT =
  /^(connection|webhooks|team|audit|seller|ownership|reports|views):|:export$/;

const heldBy = (role: Role) => PERMISSIONS.filter((permission) => can(role, permission));

test("a viewer can change only their own account", () => {
  expect(heldBy("viewer").filter((permission) => WRITES.includes(permission))).toEqual([]);
});

test("the role support manages subscriptions, but not keys, webhooks, team, audit log, reports, exports or shared views", () => {
  expect(heldBy("support").filter((permission) => CLOSED_TO_SUPPORT.test(permission))).toEqual(
    [],
  );
  const ofSubscriptions = PERMISSIONS.filter(
    (name) => name.startsWith("subscriptions:") && name !== "subscriptions:export",
  );
  expect(heldBy("support")).toEqual(expect.arrayContaining(ofSubscriptions));
});

test("a higher role has all permissions of the lower ones", () => {
  for (const [at, role] of ROLES.entries())
    for (const lower of ROLES.slice(at + 1))
      expect(heldBy(role)).toEqual(expect.arrayContaining(heldBy(lower)));
});

test("only an owner can transfer ownership and require a second factor", () => {
  const owners: Permission[] = ["ownership:hand-over", "team:protect"];
  for (const permission of owners)
    expect(ROLES.filter((role) => can(role, permission))).toEqual(["owner"]);
});

test("owners and admins can assign roles up to their own, and support and viewers none", () => {
  const given = (own: Role) => ROLES.filter((role) => canAssign(own, role)).join(" ");
  expect(ROLES.map(given)).toEqual([
    "owner admin support viewer",
    "admin support viewer",
    "",
    "",
  ]);
});
