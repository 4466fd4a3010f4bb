import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { findOwnAccount } from "#lib/billing/account.ts";
import type { AccountClient } from "#lib/billing/account-client.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { AppError, expectedFailure } from "#lib/failure.ts";
import type { Scope } from "#lib/scope.ts";
import type { VerificationResult } from "./rules.ts";

/** @throws AppError `not_found` where this installation opened no account */
export async function requireAccount(owner: KeyOwner): Promise<AccountClient> {
  const opened = await findOwnAccount(owner);
  if (!opened) throw new AppError({ kind: "not_found" });
  return opened.account;
}

/** The details and documents of the business, if this installation opened its account. */
export async function getVerification(scope: Scope): Promise<VerificationResult> {
  const { owner } = await requireSeller(scope, "connection:read");
  const opened = await findOwnAccount(owner);
  if (!opened) return { absence: "elsewhere" };
  try {
    return { verification: await opened.account.readVerification() };
  } catch (error) {
    return { failure: expectedFailure(error) };
  }
}
