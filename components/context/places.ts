import { can, type Permission, type Role } from "#lib/auth/permissions.ts";
import type { Mode } from "#lib/scope.ts";

interface Place {
  /** The path below the seller and mode. */
  path: string;
  permission: Permission;
  isTestOnly?: boolean;
}

/** Every page with a link in the navigation, a shortcut or an entry in the palette. */
export const PLACES = {
  overview: { path: "", permission: "dashboard:open" },
  collection: { path: "/collection", permission: "subscriptions:read" },
  subscriptions: { path: "/subscriptions", permission: "subscriptions:read" },
  customers: { path: "/customers", permission: "customers:read" },
  products: { path: "/products", permission: "products:read" },
  payments: { path: "/payments", permission: "payments:read" },
  reports: { path: "/reports", permission: "reports:read" },
  notifications: { path: "/notifications", permission: "subscriptions:read" },
  sandbox: { path: "/sandbox", permission: "sandbox:read", isTestOnly: true },
  settings: { path: "/settings/account", permission: "account:manage" },
  notices: { path: "/settings/notifications", permission: "dashboard:open" },
  webhooks: { path: "/settings/webhooks", permission: "webhooks:read" },
  create: { path: "/subscriptions/new", permission: "subscriptions:create" },
  deliveries: { path: "/settings/webhooks/deliveries", permission: "webhooks:read" },
  bulk: { path: "/subscriptions/bulk", permission: "subscriptions:read" },
  import: { path: "/subscriptions/import", permission: "subscriptions:create" },
  views: { path: "/subscriptions/views", permission: "subscriptions:read" },
  seller: { path: "/settings/seller", permission: "seller:write" },
  messages: { path: "/settings/messages", permission: "seller:write" },
  channels: { path: "/settings/messages/channels", permission: "connection:read" },
  sentMessages: { path: "/settings/messages/sent", permission: "subscriptions:read" },
  schedule: { path: "/settings/messages/reminders", permission: "connection:read" },
  payAccounts: { path: "/settings/payments", permission: "connection:read" },
  connection: { path: "/settings/connection", permission: "connection:read" },
  apiKeys: { path: "/settings/keys", permission: "connection:read" },
  team: { path: "/settings/team", permission: "team:read" },
  auditLog: { path: "/settings/audit-log", permission: "audit:read" },
} as const satisfies Record<string, Place>;

/** Pages with a shortcut. */
export const SHORTCUT_PLACES = [
  "overview",
  "collection",
  "subscriptions",
  "customers",
  "products",
  "reports",
  "notifications",
  "webhooks",
  "sandbox",
  "settings",
] as const satisfies (keyof typeof PLACES)[];

export type PlaceId = keyof typeof PLACES;

export const isPlace = (id: string): id is PlaceId => Object.hasOwn(PLACES, id);

/** Whether this person may open the page in this mode. */
export function canOpenPlace(id: PlaceId, role: Role, mode: Mode): boolean {
  const { permission, isTestOnly = false }: Place = PLACES[id];
  return can(role, permission) && (mode === "test" || !isTestOnly);
}

/** The place that names a page: its own, else the nearest parent's. */
export function placeOfPath(path: string): PlaceId {
  const isHere = (id: PlaceId) => `${path}/`.startsWith(`${PLACES[id].path}/`);
  const [nearest = "overview"] = (Object.keys(PLACES) as PlaceId[])
    .filter(isHere)
    .toSorted((one, other) => PLACES[other].path.length - PLACES[one].path.length);
  return nearest;
}
