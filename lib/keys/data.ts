import "server-only";
import type { AccountKey } from "#contract/account.ts";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import { hasPassword } from "#lib/auth/guards/confirm-person.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { findOwnAccount } from "#lib/billing/account.ts";
import type { AccountClient } from "#lib/billing/account-client.ts";
import { openConnection } from "#lib/billing/connection.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database } from "#lib/db/pool.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { AppError, expectedFailure, failureOf } from "#lib/failure.ts";
import type { Scope } from "#lib/scope.ts";
import { addressForPrograms, type KeyListResult, type ListedKey } from "./rules.ts";

/** The newest API keys of the seller's own account. Account tokens are not among them. */
export async function listApiKeys(scope: Scope): Promise<KeyListResult> {
  const { owner, user } = await requireSeller(scope, "connection:read");
  const opened = await findOwnAccount(owner);
  if (!opened) return { absence: "elsewhere" };
  try {
    const [{ results, count }, { api_url }] = await Promise.all([
      opened.account.listKeys({ page: 1, page_size: MAX_PAGE_SIZE }),
      opened.account.readProfile(),
    ]);
    const connected = await readConnectedKey(owner);
    return {
      keys: results
        .filter((key) => isApiKey(key) && key.mode === owner.mode)
        .map((key) => listedOf(key, ownershipOf(key, opened.api_key_id, connected))),
      is_cut: (count ?? 0) > results.length,
      has_password: await hasPassword(database(), user.id),
      api_url: addressForPrograms(api_url),
    };
  } catch (error) {
    return { failure: expectedFailure(error) };
  }
}

const isApiKey = ({ kind }: AccountKey) => kind === "api_key";

const listedOf = (
  { kind: _kind, mode: _mode, ...key }: AccountKey,
  own: ListedKey["own"],
): ListedKey => ({ ...key, own });

/** How the dashboard uses a key. @param connected the connected key; null without one */
export function ownershipOf(
  { id, prefix }: Pick<AccountKey, "id" | "prefix">,
  ownId: number | null,
  connected: string | null,
): ListedKey["own"] {
  if (id === ownId) return "made";
  return connected?.includes(`_${prefix}_`) ? "connected" : null;
}

export const readConnectedKey = (owner: KeyOwner): Promise<string | null> =>
  openConnection(database(), owner, encryptionKeysOf(env())).then(
    ({ apiKey }) => apiKey,
    (error: unknown) => {
      if (failureOf(error).kind === "not_connected") return null;
      throw error;
    },
  );

/**
 * An API key of the account.
 * @throws AppError `not_found`, also for an account token: no browser gets one
 */
export async function requireApiKey(account: AccountClient, id: number): Promise<AccountKey> {
  for (let page = 1; ; page += 1) {
    const { results, next } = await account.listKeys({ page, page_size: MAX_PAGE_SIZE });
    const found = results.filter(isApiKey).find((key) => key.id === id);
    if (found) return found;
    if (next === null || results.length === 0) throw new AppError({ kind: "not_found" });
  }
}
