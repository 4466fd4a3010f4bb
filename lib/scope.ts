export const MODES = ["test", "live"] as const;
export type Mode = (typeof MODES)[number];

/** The seller and mode: a part of every URL, call and cache key. */
export interface Scope {
  /** The seller's public code. */
  seller: string;
  mode: Mode;
}

/** @returns null unless both parts are well-formed */
export function readScope({ seller, mode }: { seller: string; mode: string }): Scope | null {
  const known = MODES.find((one) => one === mode);
  return known && /^[0-9a-f]{10}$/.test(seller) ? { seller, mode: known } : null;
}

/** @param path with its leading slash; empty for the overview */
export function scopePath({ seller, mode }: Scope, path = ""): string {
  return `/${seller}/${mode}${path}`;
}

/** The path of a route of the dashboard's own API, which only the browser calls. */
export function apiPath(scope: Scope, path: string): string {
  return `/api${scopePath(scope, path)}`;
}
