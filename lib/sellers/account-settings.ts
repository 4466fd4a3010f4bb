import "server-only";
import type { AccountProfile, ChangeProfile } from "#contract/account.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { findOwnAccount, recordGrace } from "#lib/billing/account.ts";
import { imageNameOf, type AccountClient } from "#lib/billing/account-client.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database } from "#lib/db/pool.ts";
import { AppError, expectedFailure, type Failure, failureOf } from "#lib/failure.ts";
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
    return { failure: expectedFailure(error) };
  }
}

/**
 * Changes the account of this mode, and then the one of the other mode, which has the same
 * settings.
 * @returns the changed version, and the mode whose account refused the change (`missed`) or only the
 * logo (`logo_missed`)
 * @throws AppError `conflict` if the account was changed since that version; nothing is changed
 * then
 */
export async function changeAccountSettings(
  owner: KeyOwner,
  { version, ...change }: ChangeProfile,
): Promise<{ version: string; missed: Mode | null; logo_missed: Mode | null }> {
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
  if (!mode || !other) return { version: changed.version, missed: null, logo_missed: null };
  try {
    const isWhole = await changeOther(other.account, opened.account, change);
    return { version: changed.version, missed: null, logo_missed: isWhole ? null : mode };
  } catch (error) {
    if (error instanceof AppError)
      return { version: changed.version, missed: mode, logo_missed: null };
    throw error;
  }
}

/**
 * @returns false if the other account could not store the logo, for example before it is verified
 */
async function changeOther(
  other: AccountClient,
  own: AccountClient,
  { checkout_logo: logo, ...change }: Omit<ChangeProfile, "version">,
): Promise<boolean> {
  const { version, checkout_logo: present } = await other.readProfile();
  const copied =
    logo && imageNameOf(logo) !== imageNameOf(present ?? "")
      ? await copyImage(logo, own, other)
      : logo && present;
  await other.changeProfile({
    version,
    ...change,
    ...(copied !== undefined && { checkout_logo: copied }),
  });
  return copied !== undefined || logo === undefined;
}

/** @returns the image's address at the other service; undefined if it could not be copied now */
const copyImage = async (url: string, from: AccountClient, to: AccountClient) =>
  from
    .readImage(url)
    .then((content) => to.uploadImage(content.toString("base64")))
    .then(
      (image) => image.url,
      (error: unknown) => {
        if (error instanceof AppError) return undefined;
        throw error;
      },
    );
