export const ROLES = ["owner", "admin", "support", "viewer"] as const;
export type Role = (typeof ROLES)[number];

const VIEWER = ["viewer", "support", "admin", "owner"] as const;
const SUPPORT = ["support", "admin", "owner"] as const;
const ADMIN = ["admin", "owner"] as const;
const OWNER = ["owner"] as const;

/** Who may do what: the one table that pages, routes, actions, buttons and the refusal tests read. */
const HOLDERS = {
  "dashboard:open": VIEWER,
  "account:manage": VIEWER,
  "products:read": VIEWER,
  "customers:read": VIEWER,
  "subscriptions:read": VIEWER,
  "history:read": VIEWER,
  "subscriptions:create": SUPPORT,
  "subscriptions:cancel": SUPPORT,
  "subscriptions:resume": SUPPORT,
  "subscriptions:reschedule": SUPPORT,
  // Writing to a buyer, and what is noted of it.
  "collection:write": SUPPORT,
  // A file leaves the desk with everybody's names and numbers in it.
  "subscriptions:export": ADMIN,
  // What the whole business makes, where the others see one buyer after the other.
  "reports:read": ADMIN,
  "payments:read": ADMIN,
  // What one saves for all stands beside everybody's work.
  "views:share": ADMIN,
  "sandbox:read": VIEWER,
  "sandbox:pay": SUPPORT,
  "sandbox:write": ADMIN,
  "connection:read": ADMIN,
  "connection:write": ADMIN,
  "webhooks:read": ADMIN,
  "webhooks:write": ADMIN,
  "team:read": ADMIN,
  "team:write": ADMIN,
  "audit:read": ADMIN,
  "seller:write": ADMIN,
  // What everybody has to have for it.
  "team:protect": OWNER,
  "ownership:hand-over": OWNER,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof HOLDERS;
export const PERMISSIONS = Object.keys(HOLDERS) as Permission[];

export function can(role: Role, permission: Permission): boolean {
  const holders: readonly Role[] = HOLDERS[permission];
  return holders.includes(role);
}

/** What a link can invite as: ownership is only ever handed to somebody who is there. */
export const INVITED_ROLES = ["admin", "support", "viewer"] as const satisfies readonly Role[];
export type InvitedRole = (typeof INVITED_ROLES)[number];

/** Nobody gives, changes or takes away a role that stands above their own. */
export function canAssign(own: Role, role: Role): boolean {
  return can(own, "team:write") && ROLES.indexOf(own) <= ROLES.indexOf(role);
}
