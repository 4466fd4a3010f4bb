import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { findAccountClient, findOwnAccount } from "#lib/billing/account.ts";
import { MessageClient } from "#lib/billing/message-client.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { AppError, isMissing } from "#lib/failure.ts";
import type { Scope } from "#lib/scope.ts";
import type { BillSettingsResult } from "./rules.ts";

/** What the bills of payments are from now on. */
export async function getBillSettings(scope: Scope): Promise<BillSettingsResult> {
  const { owner } = await requireSeller(scope, "connection:read");
  const opened = await findOwnAccount(owner);
  if (!opened) return { absence: "elsewhere" };
  try {
    const [settings, has_channel] = await Promise.all([
      opened.account.readBillSettings(),
      hasChannel(owner),
    ]);
    return { settings, has_channel };
  } catch (error) {
    if (isMissing(error)) return { absence: "not_offered" };
    if (error instanceof AppError) return { failure: error.failure };
    throw error;
  }
}

async function hasChannel(owner: KeyOwner): Promise<boolean | null> {
  try {
    const channels = await (await findAccountClient(owner, MessageClient))?.listChannels();
    return channels?.results.some(({ is_active }) => is_active) ?? false;
  } catch (error) {
    if (error instanceof AppError) return isMissing(error) ? false : null;
    throw error;
  }
}
