import { expect, test } from "vitest";
import { translatorOf } from "#tools/testing/messages.ts";
import { can, PERMISSIONS, ROLES, type Role } from "#lib/auth/permissions.ts";
import {
  PERMISSION_GROUPS,
  invitationMail,
  roleChangeRefusal,
  handOverRefusal,
  leaveRefusal,
} from "./rules.ts";

const team = (...roles: Role[]) => new Map(roles.map((role, at) => [`${role}${at}`, role]));

test("every permission is in exactly one group of permissions", () => {
  expect(PERMISSION_GROUPS.flatMap(({ permissions }) => permissions).sort()).toEqual(
    [...PERMISSIONS].sort(),
  );
});

test("all permissions of a group are given to the same roles", () => {
  for (const { duty, permissions } of PERMISSION_GROUPS) {
    const holders = permissions.map((one) => ROLES.filter((role) => can(role, one)).join());
    expect(new Set(holders).size, duty).toBe(1);
  }
});

test("an admin cannot change an owner or create one", () => {
  const roles = team("owner", "admin", "admin", "support");
  expect(roleChangeRefusal(roles, "admin1", "owner0", "viewer")).toBe("above_own_role");
  expect(roleChangeRefusal(roles, "admin1", "owner0", null)).toBe("above_own_role");
  expect(roleChangeRefusal(roles, "admin1", "support3", "owner")).toBe("above_own_role");
  expect(roleChangeRefusal(roles, "admin1", "admin2", null)).toBeNull();
  expect(roleChangeRefusal(roles, "owner0", "support3", "owner")).toBeNull();
});

test("support and viewers cannot change members", () => {
  const roles = team("support", "viewer", "viewer");
  expect(roleChangeRefusal(roles, "support0", "viewer1", null)).toBe("above_own_role");
  expect(roleChangeRefusal(roles, "viewer1", "viewer2", "support")).toBe("above_own_role");
});

test("members cannot change or remove themselves or unknown people", () => {
  const roles = team("owner", "owner");
  expect(roleChangeRefusal(roles, "owner0", "owner0", "viewer")).toBe("own_role");
  expect(roleChangeRefusal(roles, "owner0", "stranger", null)).toBe("unknown_member");
  expect(roleChangeRefusal(roles, "stranger", "owner0", null)).toBe("above_own_role");
});

test("the last owner cannot leave, but one of two can", () => {
  expect(leaveRefusal(team("owner", "admin"), "owner0")).toBe("last_owner");
  expect(leaveRefusal(team("owner", "owner"), "owner0")).toBeNull();
  expect(leaveRefusal(team("owner", "viewer"), "viewer1")).toBeNull();
  expect(leaveRefusal(team("owner"), "stranger")).toBe("unknown_member");
});

test("only an owner can transfer ownership, and only to a member", () => {
  const roles = team("owner", "admin", "viewer");
  expect(handOverRefusal(roles, "owner0", "viewer2")).toBeNull();
  expect(handOverRefusal(roles, "admin1", "viewer2")).toBe("above_own_role");
  expect(handOverRefusal(roles, "owner0", "owner0")).toBe("own_role");
  expect(handOverRefusal(roles, "owner0", "stranger")).toBe("unknown_member");
});

const t = translatorOf("mail");

test("names in an invitation mail are written so that mail programs do not turn them into links", () => {
  const link = "https://desk.example/invitation/secret";
  const names = { inviter: "www.evil.example", seller: "Win at https://evil.example/now" };
  const { subject, text } = invitationMail(t, { ...names, role: "viewer", link });
  expect(`${subject} ${text.replace(link, "")}`).not.toMatch(/\w\.\w|:\/|\/\w/);
  expect(text.split("\n")).toContain(link);
  const common = invitationMail(t, {
    inviter: "S. Rai",
    seller: "Phewa Pvt. Ltd.",
    role: "viewer",
    link,
  });
  expect(common.subject).toBe("S. Rai invites you to Phewa Pvt. Ltd. on Duebook");
});

test("the invitation mail names inviter and seller, and has the link on its own line", () => {
  const link = "https://desk.example/invitation/secret";
  const mail = invitationMail(t, { inviter: "Asha", seller: "फेवा", role: "support", link });
  expect(mail.subject).toBe("Asha invites you to फेवा on Duebook");
  expect(mail.text.split("\n")).toContain(link);
  expect(mail.text).toContain("as support");
});

test("the Nepali invitation mail has the seller's name and the link, and no English words", () => {
  const link = "https://desk.example/invitation/secret";
  const invitation = { inviter: "आशा", seller: "फेवा", role: "support", link } as const;
  const { subject, text } = invitationMail(translatorOf("mail", "ne"), invitation);
  expect(subject).toContain("फेवा");
  expect(text.split("\n")).toContain(link);
  expect(text.replace(link, "").replaceAll("Duebook", "")).not.toMatch(/[a-z{}]/i);
});
