import { smsLength } from "#contract/message-text.ts";
import type { SendingChannel } from "#contract/names.ts";
import type { ReminderPreview } from "#contract/reminders.ts";
import { openCheckout } from "../checkout/open.ts";
import { queryRows, queryValue, type Database } from "../db/database.ts";
import { firstChannelSql } from "../messages/outbox.ts";
import { sellerNow, type Seller } from "../sellers/store.ts";
import {
  firstMoment,
  stepMoment,
  type ReminderStep,
} from "#contract/process/reminder-calendar.ts";
import { exceptFor, OPTED_OUT } from "./plan-store.ts";
import { stopAddress } from "./recipients.ts";
import type { Schedule } from "./schedule-store.ts";
import { languageFor, writeReminder } from "./text.ts";

const SHOWN = 3;
// As long as a real key, which is made when a reminder is sent.
const EXAMPLE_KEY = "0".repeat(22);

interface Previewing {
  schedule: Schedule;
  seller: Seller;
  /** The real time. */
  now: Date;
  publicUrl: string;
}

/** The next messages of each step, to the first buyers in order of time. Nothing is queued. */
export async function previewReminders(
  database: Database,
  previewing: Previewing,
): Promise<ReminderPreview> {
  const results: ReminderPreview["results"] = [];
  for (const [index, step] of previewing.schedule.steps.entries())
    for (const next of await selectNext(database, previewing, step))
      results.push({
        step: index,
        ...(await renderNext(database, previewing, { step, next })),
      });
  return { results };
}

interface Next {
  subscription_id: string;
  moment: Date;
}

/** The first subscriptions for which the step is still to come. */
function selectNext(
  database: Database,
  { seller, now }: Previewing,
  step: ReminderStep,
): Promise<Next[]> {
  const from = firstMoment(step, seller, sellerNow(seller, now));
  const isLeft = step.kind === "checkout_left";
  const column = isLeft
    ? "coalesce(s.checkout_activity_at, s.created_at)"
    : "s.next_billing_cycle";
  const status = isLeft
    ? "s.status = 'pending_checkout'"
    : "s.status in ('active', 'due') and not s.is_one_time";
  return queryRows<Next>(
    database,
    `select s.subscription_id, ${column} as moment
     from subscription s join customer c on c.seller_id = s.seller_id and c.id = s.customer_id
     where s.seller_id = $1 and ${status} and ${column} >= $2 and not (${OPTED_OUT})
     order by ${column}, s.subscription_id limit ${SHOWN}`,
    [seller.seller_id, from],
  );
}

async function renderNext(
  database: Database,
  { schedule, seller, now, publicUrl }: Previewing,
  { step, next }: { step: ReminderStep; next: Next },
): Promise<Omit<ReminderPreview["results"][number], "step">> {
  const { time_zone, grace_days } = seller;
  const at = stepMoment(schedule, step, {
    moment: next.moment,
    now: sellerNow(seller, now),
    time_zone,
    grace_days,
  });
  // The checkout takes the real time, so the amount is the one that it will ask at that moment.
  const clock = new Date(at.getTime() - seller.clock_offset_ms);
  const checkout = await openCheckout(database, next.subscription_id, clock);
  const { subscription, amount, branding } = checkout;
  const { phone, email, full_name, currency } = subscription;
  const channel = await queryValue<SendingChannel>(
    database,
    `select channel from message_channel where seller_id = $1 and channel_id = ${firstChannelSql({ seller: "$1", phone: "$2::text", email: "$3::text", except: "$4::text[]" })}`,
    [seller.seller_id, phone, email, exceptFor(step.channel)],
  );
  const { language, asked } = await languageFor(database, subscription, schedule, step);
  const { subject, body } = writeReminder({
    checkout,
    step,
    language,
    usual: schedule.language,
    channel,
    payTo: branding.pay_otherwise,
    publicUrl,
    stopUrl: stopAddress(publicUrl, EXAMPLE_KEY),
  });
  return {
    subscription_id: next.subscription_id,
    full_name,
    at: at.toISOString(),
    channel,
    to: channel === "email" || phone === "" ? email : phone,
    language,
    asked_language: asked,
    subject,
    text: body,
    parts: smsLength(body).parts,
    currency,
    amount: amount.total,
  };
}
