import { randomUUID } from "node:crypto";
import { SENDING_CHANNELS, type MessageKind } from "#contract/names.ts";
import { queryRow, type Database } from "../db/database.ts";
import type { MessageKey } from "./store.ts";

/** The notification channel that wakes message workers after a commit. */
export const MESSAGES_CHANNEL = "messages";

/**
 * Prefix of the cause of a message with the code of an order at a shared link; its phone number is
 * masked for the seller.
 */
export const ORDER_CAUSE = "shared-link:";

/** SQL: a phone number masked except for its last digits. */
export const maskedPhoneSql = (phone: string) =>
  `'•••• ' || right(regexp_replace(${phone}, '\\D', '', 'g'), 3)`;

interface NewMessage {
  seller_id: number;
  kind: MessageKind;
  /** The id of the reason for the message: a seller sends one message for one cause. */
  cause: string;
  subscription_id: string | null;
  phone: string;
  email: string;
  language: string;
  subject: string | null;
  /** Null if the text is written at the moment of sending. */
  body: string | null;
  /** The values for the provider's approved template. */
  parameters?: string[];
  at: Date;
  /** The message is not sent before this time; default at once. */
  due?: Date;
  /** The message is not sent from this time on; null if it is never too late. */
  expires_at: Date | null;
  /** The only channel to use; default the first that reaches the recipient. */
  channel?: string;
}

/** SQL: the seller's first active channel that reaches a phone or mail address. */
export const firstChannelSql = (of: {
  seller: string;
  phone: string;
  email: string;
  except: string;
}) =>
  `(select c.channel_id from message_channel c
    where c.seller_id = ${of.seller} and c.is_active and c.channel <> all (${of.except})
      and case c.channel when 'email' then ${of.email} else ${of.phone} end <> ''
    order by array_position(array['${SENDING_CHANNELS.join("', '")}'], c.channel) limit 1)`;

/**
 * Queues a message in the caller's transaction, so that it exists exactly if its cause does.
 * @returns whether it was queued, was queued before, or no channel of the seller reaches the
 * recipient
 */
export async function queueMessage(
  database: Database,
  message: NewMessage,
): Promise<"queued" | "known" | "no_channel"> {
  const others = SENDING_CHANNELS.filter(
    (name) => message.channel !== undefined && name !== message.channel,
  );
  const row = await queryRow<{ found: boolean; queued: boolean }>(
    database,
    `with found as (select ${firstChannelSql({ seller: "$2", phone: "$6", email: "$7", except: "$14::text[]" })} as channel_id),
     queued as (
       insert into message (message_id, seller_id, channel_id, kind, cause, subscription_id,
         phone, email, language, subject, body, queued_at, state_at, next_at, expires_at, parameters)
       select $1::uuid, $2::bigint, f.channel_id, $3, $4, $5::uuid, $6, $7, $8, $9, $10,
         $11::timestamptz, $11, $12::timestamptz, $13::timestamptz, $15::text[]
       from found f where f.channel_id is not null
       on conflict (seller_id, cause) do nothing
       returning pg_notify('${MESSAGES_CHANNEL}', '')
     )
     select (select channel_id is not null from found) as found,
       exists (select from queued) as queued`,
    [
      randomUUID(),
      message.seller_id,
      message.kind,
      message.cause,
      message.subscription_id,
      message.phone,
      message.email,
      message.language,
      message.subject,
      message.body,
      message.at,
      message.due ?? message.at,
      message.expires_at,
      others,
      message.parameters ?? [],
    ],
  );
  if (!row?.found) return "no_channel";
  return row.queued ? "queued" : "known";
}

/** Puts a message that was not sent back into the queue, without counting a try. */
export const postpone = (
  database: Database,
  { seller_id, message_id }: MessageKey,
  { at, later, expires_at }: { at: Date; later: Date; expires_at: Date | null },
) =>
  database.query(
    `update message set state = 'queued', state_at = $2, leased_until = null, tries = tries - 1,
       next_at = $3, expires_at = $4
     where seller_id = $5 and message_id = $1 and state = 'sending'`,
    [message_id, at, later, expires_at, seller_id],
  );
