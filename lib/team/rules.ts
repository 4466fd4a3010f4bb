import {
  can,
  canAssign,
  type InvitedRole,
  type Permission,
  type Role,
} from "#lib/auth/permissions.ts";
import type { InvitationState } from "#lib/auth/sign-in/invitation.ts";
import type { Translate } from "#lib/i18n/message.ts";

export interface Member {
  user_id: string;
  name: string;
  email: string;
  role: Role;
  since: string;
  last_seen: string | null;
  has_second_factor: boolean;
}

export interface PendingInvitation {
  id: string;
  role: InvitedRole;
  for_whom: string | null;
  inviter: string;
  expires_at: string;
}

/** The roles of a seller's members by person id. */
export type RolesByPerson = ReadonlyMap<string, Role>;

/** The reason why a change of the team is refused, or null. */
export type TeamRefusal =
  "unknown_member" | "own_role" | "above_own_role" | "last_owner" | "too_many_invitations";

/** @param role the new role; null removes the person */
export function roleChangeRefusal(
  roles: RolesByPerson,
  actor: string,
  member: string,
  role: Role | null,
): TeamRefusal | null {
  const own = roles.get(actor);
  const present = roles.get(member);
  if (present === undefined) return "unknown_member";
  if (actor === member) return "own_role";
  if (!own || !canAssign(own, present) || (role && !canAssign(own, role)))
    return "above_own_role";
  return null;
}

/** Why a person cannot leave: the last owner must stay. */
export function leaveRefusal(roles: RolesByPerson, user: string): TeamRefusal | null {
  const role = roles.get(user);
  if (!role) return "unknown_member";
  const owners = [...roles.values()].filter((one) => one === "owner").length;
  return role === "owner" && owners === 1 ? "last_owner" : null;
}

export function handOverRefusal(
  roles: RolesByPerson,
  actor: string,
  member: string,
): TeamRefusal | null {
  const own = roles.get(actor);
  if (!own || !can(own, "ownership:hand-over")) return "above_own_role";
  if (actor === member) return "own_role";
  return roles.has(member) ? null : "unknown_member";
}

/** Groups of permissions for the table of roles; every permission is in exactly one group. */
export const PERMISSION_GROUPS = [
  {
    duty: "see",
    permissions: [
      "dashboard:open",
      "products:read",
      "customers:read",
      "subscriptions:read",
      "history:read",
    ],
  },
  { duty: "ownAccount", permissions: ["account:manage"] },
  {
    duty: "subscriptions",
    permissions: [
      "subscriptions:create",
      "subscriptions:cancel",
      "subscriptions:resume",
      "subscriptions:reschedule",
    ],
  },
  { duty: "collection", permissions: ["collection:write"] },
  { duty: "catalogue", permissions: ["products:write"] },
  { duty: "export", permissions: ["subscriptions:export"] },
  { duty: "payments", permissions: ["payments:read"] },
  { duty: "money", permissions: ["payments:record", "payments:refund"] },
  { duty: "moneyApproval", permissions: ["payments:approve"] },
  { duty: "reports", permissions: ["reports:read", "payments:export"] },
  { duty: "shareViews", permissions: ["views:share"] },
  { duty: "sandboxSee", permissions: ["sandbox:read"] },
  { duty: "sandboxPay", permissions: ["sandbox:pay"] },
  {
    duty: "sandboxMove",
    permissions: ["sandbox:write"],
  },
  {
    duty: "connection",
    permissions: ["connection:read", "connection:write"],
  },
  { duty: "webhooks", permissions: ["webhooks:read", "webhooks:write"] },
  {
    duty: "team",
    permissions: ["team:read", "team:write"],
  },
  { duty: "record", permissions: ["audit:read"] },
  { duty: "seller", permissions: ["seller:write"] },
  { duty: "protection", permissions: ["team:protect"] },
  { duty: "ownership", permissions: ["ownership:hand-over"] },
] as const satisfies readonly { duty: string; permissions: readonly Permission[] }[];

/**
 * The invitation as plain text, without anything that mail programs could turn into another link.
 */
export function invitationMail(
  t: Translate<"mail">,
  invitation: { inviter: string; seller: string; role: InvitedRole; link: string },
): { subject: string; text: string } {
  const { role, link } = invitation;
  const names = { inviter: spoken(invitation.inviter), seller: spoken(invitation.seller) };
  return {
    subject: t("invitation.subject", names),
    text: [
      t("invitation.text", { ...names, role }),
      t("invitation.open"),
      link,
      t("invitation.unexpected"),
    ].join("\n\n"),
  };
}

/**
 * A person's name with spaces after characters of URLs, so that mail programs do not turn it into a
 * link.
 */
const spoken = (name: string) => name.replaceAll(/[.:/\\@](?=\S)/g, "$& ");

/** Why an invitation's link no longer works. */
export type EndedInvitationState = Exclude<InvitationState, "open">;
