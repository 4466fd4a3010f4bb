"use server";

import * as z from "zod";
import type { EventKind } from "#contract/names.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { fieldFailure } from "#lib/auth/field-failure.ts";
import { AppError } from "#lib/failure.ts";
import { addSecret } from "#lib/billing/receiver-secrets.ts";
import { database } from "#lib/db/pool.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { message } from "#lib/i18n/message.ts";
import { signingKeyOf, STANDARD_SCHEME } from "#lib/signature.ts";
import { registerEndpoint, endpointIdOf, renewReceiver } from "./register.ts";
import { recheckStored } from "./recheck.ts";
import { StoredScheme } from "./classify.ts";
import { DeliveryClient, sendIfSupported } from "#lib/billing/delivery-client.ts";

const TESTED: EventKind = "checkout.succeeded";

/**
 * Registers Duebook's endpoint for every kind of event and stores the secrets, which the service
 * shows once.
 */
export const registerReceiverAction = sellerAction({
  name: "receiver.register",
  permission: "webhooks:write",
  input: z.object({}),
  run: async ({ billing, owner }, _input, note) => {
    const settings = env();
    const keys = encryptionKeysOf(settings);
    const context = { billing, keys, baseUrl: settings.NEXTAUTH_URL };
    const done = await registerEndpoint(database(), owner, context);
    // Deliveries that were stored before their secret was known can be verified now.
    await recheckStored(database(), owner, keys);
    note.detail = {
      verified: done.verified.length,
      without_secret: done.without_secret.length,
    };
    return done;
  },
});

const Secret = z.string().trim().min(8, message("receiver.shortSecret")).max(500);

/** Sends a signed example of a payment, to show that deliveries arrive and can be verified. */
export const sendTestAction = sellerAction({
  name: "receiver.send-test",
  permission: "webhooks:write",
  input: z.object({}),
  run: async ({ billing, owner }, _input, note) => {
    const webhook_id = await endpointIdOf(database(), owner, TESTED);
    if (webhook_id === null) throw new AppError({ kind: "not_found" });
    note.detail = { webhook_id, event: TESTED };
    const sent = await sendIfSupported(billing, () =>
      new DeliveryClient(billing).sendExample(webhook_id, TESTED),
    );
    return { is_offered: sent !== null };
  },
});

/** Adds a pasted secret, for services that show their secrets elsewhere. */
export const addReceiverSecretAction = sellerAction({
  name: "receiver.add-secret",
  permission: "webhooks:write",
  input: z.object({ secret: Secret, is_standard: z.boolean() }),
  run: async ({ owner }, { secret, is_standard }, note) => {
    if (is_standard && signingKeyOf(secret, STANDARD_SCHEME.secret) === null)
      throw fieldFailure("secret", message("receiver.secretNotBase64"));
    const keys = encryptionKeysOf(env());
    const given = { secret, webhook_id: null, event: null };
    if (!(await addSecret(database(), owner, given, keys)))
      throw new AppError({ kind: "conflict", detail: message("receiver.manySecrets") });
    const rechecked = await recheckStored(database(), owner, keys);
    note.detail = { rechecked };
    return { rechecked };
  },
});

export const removeReceiverSecretAction = sellerAction({
  name: "receiver.remove-secret",
  permission: "webhooks:write",
  input: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
  run: async ({ owner }, { id }) => {
    const { rowCount } = await database().query(
      "delete from receiver_secret where seller_id = $1 and mode = $2 and id = $3",
      [owner.seller_id, owner.mode, id],
    );
    if (rowCount === 0) throw new AppError({ kind: "not_found" });
    return null;
  },
});

/** Sets how the sender signs; null for Standard Webhooks. */
export const changeSchemeAction = sellerAction({
  name: "receiver.change-scheme",
  permission: "webhooks:write",
  input: z.object({ scheme: StoredScheme.nullable() }),
  run: async ({ owner }, { scheme }, note) => {
    note.detail = { signs: scheme?.signs ?? "standard" };
    const { rowCount } = await database().query(
      "update receiver set scheme = $3 where seller_id = $1 and mode = $2",
      [owner.seller_id, owner.mode, scheme && JSON.stringify(scheme)],
    );
    if (rowCount === 0) throw new AppError({ kind: "not_connected" });
    // Stored deliveries may have been signed in the new scheme.
    await recheckStored(database(), owner, encryptionKeysOf(env()));
    return null;
  },
});

/** Gives the receiver a new URL and removes its secrets, in case the old URL leaked. */
export const renewReceiverAction = sellerAction({
  name: "receiver.renew",
  permission: "webhooks:write",
  input: z.object({}),
  run: async ({ owner }) => {
    await renewReceiver(database(), owner);
    return null;
  },
});
