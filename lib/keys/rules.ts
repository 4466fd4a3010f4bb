import type { AccountKey } from "#contract/account.ts";
import type { Failure } from "#lib/failure.ts";

/** Days after which a new key ends; `never` for a key without an end. */
export const KEY_LIVES = ["never", "30", "90", "365"] as const;
type KeyLife = (typeof KEY_LIVES)[number];

/** Hours for which a rolled key works beside its successor. */
export const KEY_OVERLAPS = ["0", "1", "24", "168", "720"] as const;
export type KeyOverlap = (typeof KEY_OVERLAPS)[number];

export const MAX_KEY_NAME_LENGTH = 100;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** @returns ISO 8601; null for a key without an end */
export const endOfLife = (life: KeyLife, now: Date): string | null =>
  life === "never" ? null : new Date(now.getTime() + Number(life) * DAY_MS).toISOString();

/**
 * The address of the billing API as shell commands show it.
 * @returns null for a text that is no URL, or that has a character with a meaning in a shell
 */
export const addressForPrograms = (url: string): string | null =>
  /^https?:\/\/[\w.:/[\]-]+$/.test(url) ? url : null;

/** An API key without its secret. */
export interface ListedKey extends Pick<
  AccountKey,
  "id" | "name" | "scopes" | "state" | "created_at" | "expires_at" | "prefix" | "last_four"
> {
  last_used_at: string | null;
  last_used_address: string | null;
  /**
   * Whether the dashboard itself uses it: `made` if it made and renews it, `connected` if it was
   * given.
   */
  own: "made" | "connected" | null;
}

export interface KeyList {
  keys: ListedKey[];
  /** Whether older keys are left out. */
  is_cut: boolean;
  /** Whether the current person has a password. */
  has_password: boolean;
  /** The base URL of the billing API for programs; null if the service does not say. */
  api_url: string | null;
}

/** `elsewhere`: the seller's account was not opened by this dashboard, so it cannot manage its keys. */
export type KeyListResult = KeyList | { absence: "elsewhere" } | { failure: Failure };
