"use server";

import * as z from "zod";
import { KEY_SCOPES } from "#contract/names.ts";
import { confirmRequestPerson } from "#lib/auth/guards/confirm-person.ts";
import { fieldFailure } from "#lib/auth/field-failure.ts";
import { hasPublishedPassword } from "#lib/auth/sessions/published-password.ts";
import type { Session } from "#lib/auth/sessions/session.ts";
import { Password } from "#lib/auth/credentials/person-fields.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { issueOwnKey, findOwnAccount, OWN_KEY_NAME } from "#lib/billing/account.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database } from "#lib/db/pool.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { AppError } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";
import { lineField } from "#lib/text/line-field.ts";
import { ownershipOf, readConnectedKey, requireApiKey } from "./data.ts";
import { endOfLife, KEY_LIVES, KEY_OVERLAPS, MAX_KEY_NAME_LENGTH } from "./rules.ts";

const Name = lineField(MAX_KEY_NAME_LENGTH, message("apiKeys.name.missing")).refine(
  (text) => text !== OWN_KEY_NAME,
  message("apiKeys.name.reserved", { name: OWN_KEY_NAME }),
);

const KeyId = z.object({ id: z.int().nonnegative(), current_password: Password });

/** @returns the key, which is shown only once */
export const makeKeyAction = sellerAction({
  name: "key.create",
  permission: "connection:write",
  input: z.object({
    name: Name,
    scopes: z.array(z.enum(KEY_SCOPES)).min(1, message("apiKeys.scopes.missing")).max(10),
    life: z.enum(KEY_LIVES),
    current_password: Password,
  }),
  run: async ({ session, owner }, { name, scopes, life, current_password }, note) => {
    note.detail = { scopes: scopes.join(", ") };
    const { account } = await requireOwnAccount(owner);
    await confirmIssuer(session, owner, current_password);
    const expires_at = endOfLife(life, new Date());
    const { answer, issued } = await account.createKey({ name, scopes, expires_at });
    note.detail = { after_last4: answer.last_four, ...note.detail };
    return { key: issued, name };
  },
});

/**
 * Replaces a key. The dashboard stores the successor of its own key itself.
 * @returns the new key, which is shown only once; null for the dashboard's own
 */
export const rollKeyAction = sellerAction({
  name: "key.roll",
  permission: "connection:write",
  input: KeyId.extend({ overlap: z.enum(KEY_OVERLAPS) }),
  run: async ({ session, owner, user }, { id, overlap, current_password }, note) => {
    const { account, api_key_id } = await requireOwnAccount(owner);
    await confirmIssuer(session, owner, current_password);
    const overlap_hours = Number(overlap);
    const old = await requireApiKey(account, id);
    note.detail = { before_last4: old.last_four, overlap_hours };
    const own = ownershipOf(old, api_key_id, await readConnectedKey(owner));
    if (own === "connected")
      throw new AppError({ kind: "conflict", detail: message("apiKeys.own.given") });
    const { answer, issued } = own
      ? await rollOwnKey(owner, { user_id: user.id, overlap_hours })
      : await account.rollKey(id, overlap_hours);
    note.detail = { ...note.detail, after_last4: answer.last_four };
    return { key: issued, name: old.name };
  },
});

/** Confirms the person by their password; one with the published password gets no live key. */
async function confirmIssuer(session: Session, { mode }: KeyOwner, password: string) {
  await confirmRequestPerson(session, password);
  if (mode === "live" && (await hasPublishedPassword(database(), session.user.id)))
    throw fieldFailure("current_password", message("auth.publishedPassword"));
}

async function rollOwnKey(
  owner: KeyOwner,
  renewal: { user_id: string; overlap_hours: number },
): Promise<{ answer: { last_four: string }; issued: null }> {
  const answer = await issueOwnKey(database(), owner, renewal, encryptionKeysOf(env()));
  if (!answer) throw new AppError({ kind: "conflict", detail: message("apiKeys.renewing") });
  return { answer, issued: null };
}

export const revokeKeyAction = sellerAction({
  name: "key.revoke",
  permission: "connection:write",
  input: KeyId,
  run: async ({ session, owner }, { id, current_password }, note) => {
    const { account, api_key_id } = await requireOwnAccount(owner);
    await confirmRequestPerson(session, current_password);
    const key = await requireApiKey(account, id);
    note.detail = { last4: key.last_four };
    if (ownershipOf(key, api_key_id, await readConnectedKey(owner)) !== null)
      throw new AppError({ kind: "conflict", detail: message("apiKeys.revoke.own") });
    await account.revokeKey(id);
    return null;
  },
});

/** @throws AppError `not_offered` if this dashboard did not open the seller's account */
async function requireOwnAccount(owner: KeyOwner) {
  const opened = await findOwnAccount(owner);
  if (!opened) throw new AppError({ kind: "not_offered" });
  return opened;
}
