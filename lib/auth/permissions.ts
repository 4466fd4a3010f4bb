export const ROLES = ["owner", "admin", "support", "viewer"] as const;
export type Role = (typeof ROLES)[number];

const everyone = ["dashboard:open", "subscriptions:read", "products:read"] as const;
const support = [...everyone, "subscriptions:create"] as const;

export type Permission = (typeof support)[number];

const PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: support,
  admin: support,
  support,
  viewer: everyone,
};

export function can(role: Role, permission: Permission): boolean {
  return PERMISSIONS[role].includes(permission);
}
