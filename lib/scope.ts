export const MODES = ["test", "live"] as const;
export type Mode = (typeof MODES)[number];

/** Whose records, and which of the two worlds: part of every address, of every call and every cache key. */
export interface Scope {
  /** The seller's public code. */
  seller: string;
  mode: Mode;
}

/** @returns null when that is no scope of anybody */
export function readScope({ seller, mode }: { seller: string; mode: string }): Scope | null {
  const known = MODES.find((one) => one === mode);
  return known && /^[0-9a-f]{10}$/.test(seller) ? { seller, mode: known } : null;
}

/** @param path from the slash on; empty for the overview */
export function scopePath({ seller, mode }: Scope, path = ""): string {
  return `/${seller}/${mode}${path}`;
}

/** Where the browser asks for data of this scope. */
export function apiPath(scope: Scope, path: string): string {
  return `/api${scopePath(scope, path)}`;
}
