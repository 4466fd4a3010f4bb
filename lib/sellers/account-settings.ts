import "server-only";
import type { AccountProfile, ChangeProfile } from "#contract/account.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { findOwnAccount, recordGrace } from "#lib/billing/account.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database } from "#lib/db/pool.ts";
import { AppError, failureOf, type Failure } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";
import { MODES, type Mode, type Scope } from "#lib/scope.ts";

const openAccount = (owner: KeyOwner) => findOwnAccount(owner);

/**
 * The settings that the seller's own account has at the billing service; null without one. The
 * grace period is stored here too, because collection reads it.
 */
export async function getAccountSettings(
  scope: Scope,
): Promise<{ profile: AccountProfile } | { failure: Failure } | null> {
  const { owner } = await requireSeller(scope, "seller:write");
  const opened = await openAccount(owner);
  if (!opened) return null;
  try {
    const profile = await opened.account.readProfile();
    await recordGrace(database(), owner.seller_id, profile.grace_days);
    return { profile };
  } catch (error) {
    if (error instanceof AppError) return { failure: error.failure };
    throw error;
  }
}

/**
 * Changes the account of this mode, and then the one of the other mode, which has the same settings.
 * @returns the changed version, and the mode whose account did not take the change
 * @throws AppError `conflict` if the account was changed since that version; nothing is changed then
 */
export async function changeAccountSettings(
  owner: KeyOwner,
  { version, ...change }: ChangeProfile,
): Promise<{ version: string; missed: Mode | null }> {
  const opened = await openAccount(owner);
  if (!opened) throw new AppError({ kind: "not_offered" });
  const changed = await opened.account
    .changeProfile({ version, ...change })
    .catch((error: unknown) => {
      const failure = failureOf(error);
      if (failure.kind !== "conflict") throw error;
      throw new AppError({ ...failure, detail: message("sellers.account.changed") });
    });
  if (change.grace_days !== undefined)
    await recordGrace(database(), owner.seller_id, change.grace_days);
  const [mode] = MODES.filter((one) => one !== owner.mode);
  const other = mode && (await openAccount({ ...owner, mode }));
  if (!mode || !other) return { version: changed.version, missed: null };
  const missed = await other.account
    .readProfile()
    .then((profile) => other.account.changeProfile({ version: profile.version, ...change }))
    .then(
      () => null,
      (error: unknown) => {
        if (error instanceof AppError) return mode;
        throw error;
      },
    );
  return { version: changed.version, missed };
}
