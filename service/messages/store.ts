import type { MessageKind, SendingChannel, MessageState } from "#contract/names.ts";
import { queryRow, queryRows, type Database, concernsRow } from "../db/database.ts";
import { firstChannelSql } from "./outbox.ts";

/** A text that the provider has approved, for messages of a kind in a language. */
export interface MessageTemplate {
  kind: string;
  language: string;
  name: string;
  template_language: string;
}

/** A message as its sender needs it, with the channel by which it is sent. */
export interface SendingMessage {
  message_id: string;
  seller_id: number;
  kind: MessageKind;
  subscription_id: string | null;
  cause: string;
  phone: string;
  email: string;
  language: string;
  /** The seller's language, of those in which the service has texts. */
  usual_language: string;
  subject: string | null;
  body: string | null;
  parameters: string[];
  templates: MessageTemplate[];
  tries: number;
  expires_at: Date | null;
  channel_id: number;
  channel: SendingChannel;
  provider: string;
  sealed_settings: Buffer;
  report_key: string;
  time_zone: string;
  currency: string;
  has_problem: boolean;
}

export type MessageKey = Pick<SendingMessage, "seller_id" | "message_id">;
export type ChannelKey = Pick<SendingMessage, "seller_id" | "channel_id">;

/**
 * SQL: whether the channel of a message m exists and is on; otherwise the message is handed to
 * another channel.
 */
export const HAS_CHANNEL = `exists (select from message_channel c
  where c.seller_id = m.seller_id and c.channel_id = m.channel_id and c.is_active)`;

/** Codes that are due, the oldest first, except those that this process is sending. */
export const selectDueCodes = (
  database: Database,
  { now, except, limit }: { now: Date; except: string[]; limit: number },
) =>
  queryRows<MessageKey>(
    database,
    `select seller_id, message_id from message m
     where state = 'queued' and kind = 'code' and next_at <= $1 and expires_at > $1
       and message_id <> all ($2::uuid[]) and ${HAS_CHANNEL}
     order by next_at limit $3`,
    [now, except, limit],
  );

export interface LeasedChannel extends ChannelKey {
  per_minute: number;
}

// A channel is free for another process when its lease or pause has ended; a clock that was ahead
// cannot hold it for longer than two hours.
const IS_FREE = (channel: string) =>
  `(${channel}.free_at <= $2 or ${channel}.free_at > $2::timestamptz + interval '2 hours')`;

// "offset 0" has the planner look each channel up instead of reading the whole queue.
/** Leases the free channels with due messages other than codes. */
export const leaseChannels = (
  database: Database,
  { token, now, until, limit }: { token: string; now: Date; until: Date; limit: number },
) =>
  queryRows<LeasedChannel>(
    database,
    `update message_channel c set lease = $1, free_at = $3
     from (
       select seller_id, channel_id from message_channel c
       where c.is_active and ${IS_FREE("c")} and exists (
         select from message m
         where m.seller_id = c.seller_id and m.channel_id = c.channel_id and m.state = 'queued'
           and m.kind <> 'code' and m.next_at <= $2
           and (m.expires_at is null or m.expires_at > $2) offset 0)
       order by free_at limit $4 for update skip locked
     ) due
     where c.seller_id = due.seller_id and c.channel_id = due.channel_id
     returning c.seller_id, c.channel_id, c.per_minute`,
    [token, now, until, limit],
  );

/** Gives a channel back, or pauses it until a time. */
export const releaseChannel = (
  database: Database,
  { seller_id, channel_id }: ChannelKey,
  { token, free_at }: { token: string; free_at: Date },
) =>
  database.query(
    `update message_channel set lease = null, free_at = $4
     where seller_id = $1 and channel_id = $2 and lease = $3`,
    [seller_id, channel_id, token, free_at],
  );

export const selectDueMessages = (
  database: Database,
  { seller_id, channel_id }: ChannelKey,
  { now, limit }: { now: Date; limit: number },
) =>
  queryRows<MessageKey>(
    database,
    `select seller_id, message_id from message
     where seller_id = $4 and channel_id = $1 and state = 'queued' and kind <> 'code'
       and next_at <= $2 and (expires_at is null or expires_at > $2)
     order by next_at limit $3`,
    [channel_id, now, limit, seller_id],
  );

/**
 * Marks a queued message as being sent.
 * @param until when another process may conclude that the sender died
 * @returns null if it is not queued any more, has expired, is a reminder although `isReminder` is
 * false or the other way round, or its channel is gone or off
 */
export const beginSending = (
  database: Database,
  { seller_id, message_id }: MessageKey,
  {
    now,
    until,
    codeUntil,
    isReminder,
  }: { now: Date; until: Date; codeUntil: Date; isReminder: boolean },
) =>
  queryRow<SendingMessage>(
    database,
    `update message m set state = 'sending', state_at = $2, tries = tries + 1,
       leased_until = case m.kind when 'code' then $5::timestamptz else $3 end
     from message_channel c join seller s using (seller_id)
     where m.seller_id = $6 and m.message_id = $1 and m.state = 'queued'
       and c.seller_id = m.seller_id and c.channel_id = m.channel_id and c.is_active
       and (m.expires_at is null or m.expires_at > $2) and (m.kind = 'reminder') = $4
     returning m.message_id, m.seller_id, m.kind, m.subscription_id, m.cause, m.phone, m.email,
       m.language, coalesce((select r.language from reminder_schedule r
         where r.seller_id = m.seller_id), 'en') as usual_language,
       m.subject, m.body, m.parameters, c.templates, m.tries, m.expires_at, c.channel_id, c.channel, c.provider,
       c.sealed_settings, c.report_key, s.time_zone, s.currency,
       c.problem is not null as has_problem`,
    [message_id, now, until, isReminder, codeUntil, seller_id],
  );

export const storeText = (
  database: Database,
  { seller_id, message_id }: MessageKey,
  { subject, body, parameters }: { subject: string | null; body: string; parameters: string[] },
) =>
  database.query(
    `update message set subject = $3, body = $4, parameters = $5
     where seller_id = $1 and message_id = $2`,
    [seller_id, message_id, subject, body, parameters],
  );

/** What became of an attempt. The text of a code is deleted when no further attempt follows. */
interface Conclusion {
  state: MessageState;
  at: Date;
  /** Not sent before this time; for a message that is queued again. */
  next_at?: Date | undefined;
  reference?: string | null;
  error_code?: string | null;
  error?: string | null;
}

export const concludeSending = (
  database: Database,
  { seller_id, message_id }: MessageKey,
  { state, at, next_at, reference = null, error_code = null, error = null }: Conclusion,
) =>
  database.query(
    `update message set state = $2, state_at = $3, leased_until = null,
       next_at = coalesce($4, next_at), reference = $5, error_code = $6, error = $7,
       sent_at = case when $2 in ('accepted', 'unknown') then $3 else sent_at end,
       body = case when kind = 'code' and $2 <> 'queued' then null else body end,
       parameters = case when kind = 'code' and $2 <> 'queued' then '{}' else parameters end
     where seller_id = $8 and message_id = $1 and state = 'sending'`,
    [message_id, state, at, next_at ?? null, reference, error_code, error, seller_id],
  );

/**
 * Queues a message that its channel refused for the next channel that reaches the recipient.
 * @returns false if there is none
 */
export async function passToNextChannel(
  database: Database,
  { seller_id, message_id, channel }: SendingMessage,
  { at, error_code, error }: { at: Date; error_code: string; error: string },
): Promise<boolean> {
  const next = firstChannelSql({
    seller: "m.seller_id",
    phone: "m.phone",
    email: "m.email",
    except: "m.refused_by || $2::text",
  });
  return concernsRow(
    database,
    `update message m set state = 'queued', state_at = $3, next_at = $3, leased_until = null,
       error_code = $4, error = $5, refused_by = m.refused_by || $2::text, channel_id = ${next},
       tries = 0
     where m.seller_id = $6 and m.message_id = $1 and m.state = 'sending' and ${next} is not null`,
    [message_id, channel, at, error_code, error, seller_id],
  );
}

/** Notes why a channel's settings were refused; null once they work. */
export const noteProblem = (
  database: Database,
  { seller_id, channel_id }: ChannelKey,
  { problem, at }: { problem: string | null; at: Date },
) =>
  database.query(
    `update message_channel set problem = $3,
       problem_at = case when $3::text is null then null else $4::timestamptz end
     where seller_id = $1 and channel_id = $2`,
    [seller_id, channel_id, problem, at],
  );

/** Number of messages that are due, by kind. */
export const countDueMessages = (database: Database, now: Date) =>
  queryRows<{ kind: MessageKind; count: number }>(
    database,
    `select kind, count(*)::int as count from message
     where state = 'queued' and next_at <= $1 group by kind`,
    [now],
  );

/** What a provider reports about a message, named by the provider's reference or by our id. */
export interface MessageReport {
  reference: string;
  messageId: string | null;
  state: "accepted" | "delivered" | "read" | "failed";
  code: string | null;
  at: Date;
}

/** Keeps a report until the message with the provider's reference is known. */
export const keepReport = (
  database: Database,
  { seller_id, channel_id }: ChannelKey,
  { reference, messageId, state, code, at }: MessageReport,
) =>
  database.query(
    `insert into message_report (seller_id, channel_id, reference, message_id, state, error_code,
       received_at)
     values ($7, $1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [channel_id, reference, messageId, state, code, at, seller_id],
  );

/**
 * Applies the kept reports of a message in any order: a message never returns to an earlier state.
 */
export const applyReports = (
  database: Database,
  { seller_id, channel_id }: ChannelKey,
  reference: string,
) =>
  database.query(
    `with known as (
       select r.state, r.error_code, r.received_at, m.message_id
       from message_report r join message m using (seller_id, channel_id)
       where r.seller_id = $4 and r.channel_id = $1 and r.reference = $2
         and (m.reference = r.reference or m.message_id = r.message_id)),
     used as (
       delete from message_report r using known k
       where r.seller_id = $4 and r.channel_id = $1 and r.reference = $2 and r.state = k.state),
     newest as (
       select distinct on (message_id) * from known
       order by message_id, array_position($3::text[], state) desc, received_at desc)
     update message m set state = n.state, state_at = n.received_at,
       error_code = coalesce(n.error_code, m.error_code)
     from newest n
     where m.seller_id = $4 and m.message_id = n.message_id and m.state = any ($3::text[])
       and array_position($3::text[], n.state) > array_position($3::text[], m.state)`,
    [channel_id, reference, ORDER_OF_REPORTS, seller_id],
  );

// A message that was reported as delivered did not fail.
const ORDER_OF_REPORTS = ["unknown", "accepted", "failed", "delivered", "read"];

/**
 * Deletes old reports that found no message, and one batch of old messages.
 * @returns the number of messages
 */
export async function deleteOldMessages(
  database: Database,
  { messages, reports }: { messages: Date; reports: Date },
  limit: number,
): Promise<number> {
  await database.query("delete from message_report where received_at < $1", [reports]);
  const { rowCount } = await database.query(
    `delete from message where (seller_id, message_id) in (
       select seller_id, message_id from message where queued_at < $1 order by queued_at limit $2)`,
    [messages, limit],
  );
  return rowCount ?? 0;
}
