import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { findOwnAccount } from "#lib/billing/account.ts";
import { findActiveChannel } from "#lib/billing/message-account.ts";
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
      findActiveChannel(owner),
    ]);
    return { settings, has_channel };
  } catch (error) {
    if (isMissing(error)) return { absence: "not_offered" };
    if (error instanceof AppError) return { failure: error.failure };
    throw error;
  }
}
