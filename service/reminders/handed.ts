import type { FastifyInstance } from "fastify";
import { HandedMessage, HandOverMessage } from "#contract/messages.ts";
import type { REMINDER_WITHDRAWALS } from "#contract/field-messages.ts";
import type { HandedOutcome } from "#contract/names.ts";
import { nextAllowed } from "#contract/process/reminder-calendar.ts";
import type { ServiceContext } from "../context.ts";
import { queryRow, queryValue, type Database } from "../db/database.ts";
import { writeRoute } from "../http/write.ts";
import { countWaiting, selectMessages } from "../messages/list-store.ts";
import { firstChannelSql, queueMessage } from "../messages/outbox.ts";
import type { PostponedMessage, WrittenMessage } from "../messages/send.ts";
import type { SendingMessage } from "../messages/store.ts";
import { findSeller, sellerNow, type Seller } from "../sellers/store.ts";
import { exceptFor } from "./plan-store.ts";
import { lockRecipient, SAME_RECIPIENT, stopAddress } from "./recipients.ts";
import { selectSchedule } from "./schedule-store.ts";
import { withStop } from "./text.ts";

/** The route by which another program hands over reminders that it planned itself. */
export function handOverRoutes(api: FastifyInstance, context: ServiceContext) {
  const { now } = context;

  api.post(
    "/messages/",
    writeRoute<object, HandOverMessage, HandedMessage>(context, {
      summary: "Hand over a reminder",
      description:
        "For reminders that the caller plans, about subscriptions of another service. A reminder is queued once for its cause; if it expired before it was sent, it is queued again. The opt-outs, quiet hours and weekly limit of this account's schedule apply, and nothing is sent while the schedule is off. `{stop}` in a text stands for the address that ends the reminders; without it the address is added.",
      answer: HandedMessage,
      schema: HandOverMessage,
      work: ({ database, seller }, message) =>
        handOver(database, { seller, now: now() }, message),
    }),
  );
}

interface Handing {
  seller: Seller;
  /** The real time. */
  now: Date;
}

/**
 * Queues a reminder that another program planned, once for its cause; one that expired before it
 * was sent is queued again. Nothing is queued if the schedule is off, the buyer opted out, the week's
 * limit is reached, or no channel reaches the buyer.
 */
export async function handOver(
  database: Database,
  { seller, now }: Handing,
  {
    kind,
    cause: name,
    text,
    sms,
    parameters,
    expires_at,
    due_at,
    channel,
    ...input
  }: HandOverMessage,
): Promise<HandedMessage> {
  const { seller_id } = seller;
  const cause = `handed:${name}`;
  const answer = async (outcome: HandedOutcome): Promise<HandedMessage> => {
    const isKnown = outcome === "queued" || outcome === "known";
    const [message = null] = isKnown
      ? await selectMessages(database, seller_id, { cause }, 1)
      : [];
    return { outcome, message, waiting: await countWaiting(database, seller_id, now) };
  };
  const schedule = await selectSchedule(database, seller_id);
  if (!schedule?.is_on) return answer("off");
  const { phone, email } = input;
  const { recipient_id } = await lockRecipient(database, { seller, phone, email });
  const found = await queryRow<{ has_opted_out: boolean; of_week: number }>(
    database,
    `select exists (select from reminder_recipient o
         where ${SAME_RECIPIENT} and o.opted_out_at is not null) as has_opted_out,
       (select count(*)::int from reminder_recipient o
         join handed_reminder h using (seller_id, recipient_id)
         join message m using (seller_id, message_id)
         where ${SAME_RECIPIENT} and m.cause <> $2
           and m.queued_at > $3::timestamptz - interval '7 days'
           and m.state not in ('withdrawn', 'failed', 'expired')) as of_week
     from reminder_recipient own where own.seller_id = $4 and own.recipient_id = $1`,
    [recipient_id, cause, now, seller_id],
  );
  const state = await queryValue<string>(
    database,
    "select state from message where seller_id = $1 and cause = $2 for update",
    [seller_id, cause],
  );
  if (state !== null && state !== "expired") return answer("known");
  if (found?.has_opted_out) return answer("opted_out");
  const { most_a_week } = schedule;
  if (most_a_week !== null && (found?.of_week ?? 0) >= most_a_week) return answer("limit");
  if (state !== null) {
    const reaching = firstChannelSql({
      seller: "$1",
      phone: "$3::text",
      email: "$4::text",
      except: "$5::text[]",
    });
    await database.query(
      `delete from message where seller_id = $1 and cause = $2 and ${reaching} is not null`,
      [seller_id, cause, phone, email, exceptFor(channel ?? null)],
    );
  }
  const queued = await queueMessage(database, {
    ...input,
    seller_id,
    kind,
    cause,
    body: null,
    at: now,
    ...(due_at && { due: new Date(due_at) }),
    expires_at: new Date(expires_at),
    ...(channel && { channel }),
  });
  if (queued === "no_channel") return answer("unreachable");
  await database.query(
    `insert into handed_reminder (seller_id, message_id, recipient_id, texts)
     select seller_id, message_id, $3, $4 from message where seller_id = $1 and cause = $2`,
    [seller_id, cause, recipient_id, { text, sms, parameters }],
  );
  return answer("queued");
}

interface HandedRow {
  texts: { text: string; sms: string | null; parameters: string[] };
  key: string;
  has_opted_out: boolean;
}

/**
 * Fills in a handed reminder as it is sent, if it may still be sent.
 * @returns null for another message, or why it is withdrawn
 */
export async function writeHanded(
  database: Database,
  { seller_id, message_id, channel, language, subject, expires_at }: SendingMessage,
  { now, publicUrl }: { now: Date; publicUrl: string },
): Promise<WrittenMessage | PostponedMessage | keyof typeof REMINDER_WITHDRAWALS | null> {
  const row = await queryRow<HandedRow>(
    database,
    `select h.texts, own.key, exists (select from reminder_recipient o
       where ${SAME_RECIPIENT} and o.opted_out_at is not null) as has_opted_out
     from handed_reminder h join reminder_recipient own using (seller_id, recipient_id)
     where h.seller_id = $2 and h.message_id = $1`,
    [message_id, seller_id],
  );
  const seller = row && (await findSeller(database, seller_id));
  if (!seller) return null;
  const schedule = await selectSchedule(database, seller_id);
  if (!schedule?.is_on) return "off";
  if (row.has_opted_out) return "opted_out";
  const moment = sellerNow(seller, now);
  const wait = nextAllowed(schedule, seller.time_zone, moment).getTime() - moment.getTime();
  if (wait > 0)
    return {
      later: new Date(now.getTime() + wait),
      expires_at: expires_at ?? new Date(now.getTime() + wait),
    };
  const { text, sms, parameters } = row.texts;
  const stopUrl = stopAddress(publicUrl, row.key);
  return {
    subject,
    body: withStop((channel === "sms" && sms) || text, {
      channel,
      language,
      usual: schedule.language,
      stopUrl,
    }),
    parameters: parameters.map((one) => one.replaceAll("{stop}", stopUrl)),
    unsubscribeUrl: stopUrl,
  };
}
