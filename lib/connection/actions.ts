"use server";

import * as z from "zod";
import { confirmRequestPerson } from "#lib/auth/guards/confirm-person.ts";
import { fieldFailure } from "#lib/auth/field-failure.ts";
import { Password } from "#lib/auth/credentials/person-fields.ts";
import { hasPublishedPassword } from "#lib/auth/sessions/published-password.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import {
  canOpenAccounts,
  connectOwnAccount,
  forgetOtherAccount,
  NEW_ACCOUNT,
} from "#lib/billing/account.ts";
import {
  findConnection,
  forgetUnsupportedExtensions,
  openConnection,
  removeApiKey,
  saveApiKey,
} from "#lib/billing/connection.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { AppError } from "#lib/failure.ts";
import type { KeyCheck } from "#lib/billing/key-check-result.ts";
import { checkKey } from "#lib/billing/check-key.ts";
import { database } from "#lib/db/pool.ts";
import { billingUrl, encryptionKeysOf, env } from "#lib/env.ts";
import { message } from "#lib/i18n/message.ts";
import { limitRefusedKeys } from "./key-attempts.ts";
import { readKeyText } from "./rules.ts";

export interface KeyCheckReport {
  finding: KeyCheck;
  /** Whether the pasted key began with "Bearer", which was removed. */
  had_prefix: boolean;
}

const PastedKey = z
  .string()
  .max(2_000)
  .transform((text, context) => {
    const read = readKeyText(text);
    if (!("problem" in read)) return read;
    context.addIssue({ code: "custom", message: read.problem });
    return z.NEVER;
  });

/** Tests the key, and stores it if the service accepts it. */
export const connectAction = sellerAction({
  name: "connection.set",
  permission: "connection:write",
  input: z.object({ api_key: PastedKey, current_password: Password.default("") }),
  run: async (seller, { api_key, current_password }, note): Promise<KeyCheckReport> => {
    const { owner, user } = seller;
    const { apiKey, had_prefix } = api_key;
    const keys = encryptionKeysOf(env());
    await refusePublishedPassword(owner, user.id);
    const before = await findConnection(database(), owner, keys);
    // Another account's key would send the buyers' money to that account, so the password is asked
    // again.
    if (before) await confirmRequestPerson(seller.session, current_password);
    const finding = await tryKey(seller, apiKey);
    const state =
      finding.kind === "good" || finding.kind === "unverified" ? finding.kind : null;
    if (state) {
      const key = { apiKey, state, user_id: user.id };
      await saveApiKey(database(), owner, key, keys, new Date());
      await forgetOtherAccount(database(), owner, apiKey, keys);
    } else note.result = "failed";
    note.detail = {
      finding: finding.kind,
      before_last4: before?.last4 ?? null,
      after_last4: state ? apiKey.slice(-4) : (before?.last4 ?? null),
    };
    return { finding, had_prefix };
  },
});

/** Opens the seller's account at the billing service, and connects it once it is verified. */
export const openAccountAction = sellerAction({
  name: "connection.open-account",
  permission: "connection:write",
  input: z.object({}),
  run: async ({ seller, owner, user }) => {
    const keys = encryptionKeysOf(env());
    await refusePublishedPassword(owner, user.id);
    if (!canOpenAccounts(owner.mode)) throw new AppError({ kind: "not_offered" });
    if (await findConnection(database(), owner, keys))
      throw new AppError({ kind: "conflict", detail: message("connection.open.connected") });
    const { name, time_zone, currency } = seller;
    const account = { ...NEW_ACCOUNT, name, time_zone, currency, user_id: user.id };
    return { is_connected: await connectOwnAccount(database(), owner, account, keys) };
  },
});

export const testConnectionAction = sellerAction({
  name: "connection.test",
  permission: "connection:write",
  input: z.object({}),
  run: async (seller, _input, note): Promise<KeyCheckReport> => {
    const { owner } = seller;
    const { apiKey, onKeyResult } = await openConnection(
      database(),
      owner,
      encryptionKeysOf(env()),
    );
    const finding = await tryKey(seller, apiKey);
    await forgetUnsupportedExtensions(database(), owner, null);
    const state = finding.kind === "other_mode" ? "refused" : finding.kind;
    if (state === "good" || state === "unverified" || state === "refused")
      await onKeyResult(state);
    note.detail = { finding: finding.kind, last4: apiKey.slice(-4) };
    return { finding, had_prefix: false };
  },
});

/** Deletes the stored key; it stays valid at the service. */
export const disconnectAction = sellerAction({
  name: "connection.remove",
  permission: "connection:write",
  input: z.object({ current_password: Password }),
  run: async (seller, { current_password }, note) => {
    const { owner } = seller;
    await confirmRequestPerson(seller.session, current_password);
    note.detail = { before_last4: await removeApiKey(database(), owner) };
    return null;
  },
});

/** A person with a published password must not hold a live key. */
async function refusePublishedPassword({ mode }: KeyOwner, user_id: string): Promise<void> {
  if (mode === "live" && (await hasPublishedPassword(database(), user_id)))
    throw fieldFailure("api_key", message("auth.publishedPassword"));
}

async function tryKey({ owner, user }: SignedIn, apiKey: string): Promise<KeyCheck> {
  const own = billingUrl(owner.mode);
  if (own === null) throw new AppError({ kind: "mode_absent" });
  const other = billingUrl(owner.mode === "live" ? "test" : "live");
  return limitRefusedKeys(database(), user.id, new Date(), () =>
    checkKey(apiKey, { own, other }),
  );
}
