export const ROLES = ["owner", "admin", "support", "viewer"] as const;
export type Role = (typeof ROLES)[number];

const VIEWER = ["viewer", "support", "admin", "owner"] as const;
const SUPPORT = ["support", "admin", "owner"] as const;
const ADMIN = ["admin", "owner"] as const;
const OWNER = ["owner"] as const;

/** Roles by permission: the only table, read by pages, routes, actions, buttons and tests. */
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
  // Permits messages to buyers, logged contacts, and tags and notes of customers.
  "collection:write": SUPPORT,
  // Permits reading single payments, to answer a buyer; sums over all payments are reports.
  "payments:read": SUPPORT,
  // Recording payments that came without the checkout, and refunds up to the account's limit.
  "payments:record": SUPPORT,
  "payments:refund": SUPPORT,
  // Approving payments that another member recorded, and refunds above the account's limit.
  "payments:approve": ADMIN,
  // Prices are what every future buyer pays.
  "products:write": ADMIN,
  // A file contains the buyers' names and phone numbers.
  "subscriptions:export": ADMIN,
  // Reports show the revenue of the whole business.
  "reports:read": ADMIN,
  "payments:export": ADMIN,
  // Shared views and tags appear for every member.
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
  // Permits requiring a second factor of every member.
  "team:protect": OWNER,
  "ownership:hand-over": OWNER,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof HOLDERS;
export const PERMISSIONS = Object.keys(HOLDERS) as Permission[];

export function can(role: Role, permission: Permission): boolean {
  const holders: readonly Role[] = HOLDERS[permission];
  return holders.includes(role);
}

/** Roles that an invitation can give; ownership can only be transferred to a member. */
export const INVITED_ROLES = ["admin", "support", "viewer"] as const satisfies readonly Role[];
export type InvitedRole = (typeof INVITED_ROLES)[number];

/** A role above one's own cannot be given, changed or removed. */
export function canAssign(own: Role, role: Role): boolean {
  return can(own, "team:write") && ROLES.indexOf(own) <= ROLES.indexOf(role);
}
