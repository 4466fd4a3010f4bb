export const MODES = ["test", "live"] as const;
export type Mode = (typeof MODES)[number];

/** Part of every URL, call and cache key. */
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

/** The dashboard's own API for the browser. */
export function apiPath(scope: Scope, path: string): string {
  return `/api${scopePath(scope, path)}`;
}
