import type { SentMessage } from "#contract/messages.ts";
import {
  MESSAGE_KINDS,
  MESSAGE_STATES,
  type MessageKind,
  type MessageState,
} from "#contract/names.ts";
import { queryRow, queryRows, queryValue, type Database } from "../db/database.ts";
import { notFoundError } from "../http/errors.ts";
import { maskedPhoneSql, ORDER_CAUSE } from "./outbox.ts";

interface Row extends Omit<SentMessage, "queued_at" | "due_at" | "sent_at" | "state_at"> {
  queued_at: Date;
  due_at: Date | null;
  sent_at: Date | null;
  state_at: Date;
}

interface MessageFilter {
  subscription_id?: string | undefined;
  state?: MessageState | undefined;
  kind?: MessageKind | undefined;
  cause?: string;
  /** The id of the message after which the page begins. */
  before?: string | undefined;
}

/** A seller's messages, newest first. */
export async function selectMessages(
  database: Database,
  sellerId: number,
  filter: MessageFilter,
  limit: number,
): Promise<SentMessage[]> {
  const values: unknown[] = [sellerId, limit];
  const at = (value: unknown) => `$${values.push(value)}`;
  const conditions = ["m.seller_id = $1"];
  const { before, ...equal } = filter;
  for (const column of ["subscription_id", "cause"] as const)
    if (equal[column] !== undefined) conditions.push(`m.${column} = ${at(equal[column])}`);
  // Literals instead of parameters, so that the one planned statement can use partial indexes.
  const state = MESSAGE_STATES.find((name) => name === equal.state);
  if (state) conditions.push(`m.state = '${state}'`);
  const kind = MESSAGE_KINDS.find((name) => name === equal.kind);
  if (kind) conditions.push(`m.kind = '${kind}'`);
  if (before !== undefined)
    conditions.push(`(m.queued_at, m.message_id) < (
      select queued_at, message_id from message
      where seller_id = $1 and message_id = ${at(before)}::uuid)`);
  const rows = await queryRows<Row>(
    database,
    `select m.message_id as id, m.kind, m.state, c.channel,
       case when m.cause like '${ORDER_CAUSE}%' then ${maskedPhoneSql("m.phone")}
         when c.channel = 'email' or m.phone = '' then m.email else m.phone end as to,
       m.subscription_id, m.language, m.subject,
       case when m.kind <> 'code' then m.body end as text, m.error, m.error_code, m.queued_at,
       case when m.state = 'queued' then m.next_at end as due_at, m.sent_at, m.state_at
     from message m left join message_channel c using (seller_id, channel_id)
     where ${conditions.join(" and ")}
     order by m.queued_at desc, m.message_id desc limit $2`,
    values,
  );
  return rows.map(({ queued_at, due_at, sent_at, state_at, ...row }) => ({
    ...row,
    queued_at: queued_at.toISOString(),
    due_at: due_at?.toISOString() ?? null,
    sent_at: sent_at?.toISOString() ?? null,
    state_at: state_at.toISOString(),
  }));
}

/** The message of a cause. @throws 404 if the seller has none */
export async function requireMessage(
  database: Database,
  sellerId: number,
  cause: string,
): Promise<SentMessage> {
  const [message] = await selectMessages(database, sellerId, { cause }, 1);
  if (!message) throw notFoundError();
  return message;
}

/** The number of messages, codes excepted, that are due but not sent yet. */
export const countWaiting = async (database: Database, sellerId: number, now: Date) =>
  (await queryValue<number>(
    database,
    `select count(*)::int from message
     where seller_id = $1 and state = 'queued' and kind <> 'code' and next_at <= $2
       and channel_id in (select channel_id from message_channel where seller_id = $1)`,
    [sellerId, now],
  )) ?? 0;

export const isMessage = async (database: Database, sellerId: number, id: string) =>
  (await queryRow(database, "select 1 from message where seller_id = $1 and message_id = $2", [
    sellerId,
    id,
  ])) !== null;
