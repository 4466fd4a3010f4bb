"use server";

import * as z from "zod";
import { SaveChannel } from "#contract/messages.ts";
import { SENDING_CHANNELS } from "#contract/names.ts";
import { Password } from "#lib/auth/credentials/person-fields.ts";
import { confirmRequestPerson } from "#lib/auth/guards/confirm-person.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { openMessageAccount, requireMessageClient } from "#lib/billing/message-account.ts";
import { database } from "#lib/db/pool.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";

const Channel = z.enum(SENDING_CHANNELS);
const { provider, settings, templates, is_active, version } = SaveChannel.shape;

/**
 * Sets up or changes a channel; a secret that is left out stays. The password is needed, because an
 * address changed by a borrowed session would get the stored secret.
 */
export const saveChannelAction = sellerAction({
  name: "channel.save",
  permission: "connection:write",
  input: z.object({
    channel: Channel,
    provider,
    settings,
    templates,
    is_active,
    per_minute: z.coerce.number().pipe(SaveChannel.shape.per_minute.unwrap()),
    version,
    current_password: Password,
  }),
  run: async ({ session, owner }, { channel, current_password, ...body }, note) => {
    const { is_active, per_minute } = body;
    note.detail = { channel, provider: body.provider, is_active, per_minute };
    if (body.version === null) note.action = "channel.create";
    const client = await requireMessageClient(owner);
    await confirmRequestPerson(session, current_password);
    await client.saveChannel(channel, body);
    return null;
  },
});

export const removeChannelAction = sellerAction({
  name: "channel.remove",
  permission: "connection:write",
  input: z.object({ channel: Channel, current_password: Password }),
  run: async ({ session, owner }, { channel, current_password }, note) => {
    note.detail = { channel };
    const client = await requireMessageClient(owner);
    await confirmRequestPerson(session, current_password);
    await client.removeChannel(channel);
    return null;
  },
});

/**
 * Lets this installation send reminders about subscriptions of another service. None are sent until
 * the schedule is switched on.
 */
export const beginSendingAction = sellerAction({
  name: "channel.begin",
  permission: "connection:write",
  input: z.object({}),
  run: async ({ owner, seller: { name, time_zone, currency } }) => {
    await openMessageAccount(
      database(),
      owner,
      { name, time_zone, currency },
      encryptionKeysOf(env()),
    );
    return null;
  },
});

/** Asks the provider whether it accepts the settings; nothing is sent or changed. */
export const checkChannelAction = sellerAction({
  name: "channel.check",
  permission: "connection:write",
  input: z.object({ channel: Channel }),
  run: async ({ owner }, { channel }, note) => {
    note.action = null;
    return (await requireMessageClient(owner)).checkChannel(channel);
  },
});

/** The number or address stays out of the audit log. */
export const sendTestMessageAction = sellerAction({
  name: "channel.send-test",
  permission: "connection:write",
  input: z.object({ channel: Channel, to: z.string().trim().min(1).max(254) }),
  run: async ({ owner }, { channel, to }, note) => {
    note.detail = { channel };
    return (await requireMessageClient(owner)).sendTest(channel, to);
  },
});
