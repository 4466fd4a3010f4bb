import "server-only";
import { smsLength } from "#contract/message-text.ts";
import { SENDING_CHANNELS, type SendingChannel } from "#contract/names.ts";
import { firstMoment, stepMoment } from "#contract/process/reminder-calendar.ts";
import type { PreviewReminders, ReminderPreview } from "#contract/reminders.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { MessageClient } from "#lib/billing/message-client.ts";
import { readContactSummary } from "#lib/collection/contacts-store.ts";
import { graceDaysOf } from "#lib/collection/rules.ts";
import { readGrace } from "#lib/collection/settings-store.ts";
import { readIndexedSubscription } from "#lib/collection/subscription-cycle.ts";
import { dayInZone } from "#lib/format/format.ts";
import { amountToPay } from "#lib/money/price.ts";
import { readAmounts } from "#lib/search-index/query/owed.ts";
import { findRemindable } from "#lib/search-index/query/remindable.ts";
import type { Planning } from "./hand-over.ts";
import { readSender } from "./store.ts";
import { languageOf, writeStep } from "./text.ts";

const SHOWN = 3;
const FARTHEST_MS = 400 * 86_400_000;
// About as long as a real address.
const EXAMPLE_STOP = "https://…/stop/0000000000000000000000";

interface Previewing extends Omit<Planning, "messages"> {
  messages: Pick<MessageClient, "readSchedule" | "listChannels" | "previewReminders">;
}

/**
 * The next messages of each step of a draft, to the first buyers in the index.
 * @throws AppError with the fields of a draft that could not be stored
 */
export async function previewElsewhere(
  { db, owner, messages, billing, linkOf, now }: Previewing,
  draft: PreviewReminders,
): Promise<ReminderPreview> {
  await messages.previewReminders(draft);
  const [stored, { results: channels }] = await Promise.all([
    messages.readSchedule(),
    messages.listChannels(),
  ]);
  const { time_zone } = stored;
  const begun = now();
  const grace = graceDaysOf(await readGrace(db, owner, time_zone));
  const quiet = draft.quiet_hours === undefined ? stored.quiet_hours : draft.quiet_hours;
  const hours = {
    quiet_from: quiet?.from ?? null,
    quiet_to: quiet?.to ?? null,
    weekdays: draft.weekdays ?? stored.weekdays,
  };
  const usual = draft.language ?? (stored.language === "ne" ? "ne" : "en");
  const seller = await readSender(db, owner);
  const place = { time_zone, grace_days: grace ?? 0 };
  const results: ReminderPreview["results"] = [];
  for (const [index, { time, ...step }] of (draft.steps ?? []).entries()) {
    if (step.kind === "last_day" && grace === null) continue;
    const from = firstMoment(step, place, begun);
    const found = await findRemindable(db, owner, {
      isCheckout: step.kind === "checkout_left",
      from,
      to: new Date(begun.getTime() + FARTHEST_MS),
      after: null,
      limit: SHOWN,
    });
    for (const { subscription_id, moment } of found) {
      const subscription = await readIndexedSubscription(db, owner, subscription_id);
      const link = linkOf(subscription_id);
      if (!subscription || link === null) continue;
      const { client, product, next_billing_cycle: cycle } = subscription;
      const at = stepMoment(
        hours,
        { ...step, at_time: time },
        { ...place, moment, now: begun },
      );
      const today = dayInZone(at.toISOString(), time_zone);
      const amounts = await readAmounts(db, { owner, billing }, today);
      const known = (await readContactSummary(db, owner, [{ id: subscription_id, cycle }]))(
        subscription_id,
      );
      const { language, asked } = languageOf(step, { name: client.full_name, known, usual });
      const written = writeStep({
        ...place,
        step,
        language,
        usual,
        subscription,
        seller,
        amounts,
        link,
        today,
      });
      const channel = channelFor(client, step.channel, channels);
      const text = ((channel === "sms" && written.sms) || written.text).replaceAll(
        "{stop}",
        EXAMPLE_STOP,
      );
      const { currency, amount } = amountToPay(amounts, product);
      results.push({
        step: index,
        subscription_id,
        full_name: client.full_name,
        at: at.toISOString(),
        channel,
        to: channel === "email" || client.phone === "" ? client.email : client.phone,
        language,
        asked_language: asked,
        subject: written.subject,
        text,
        parts: smsLength(text).parts,
        currency,
        amount,
      });
    }
  }
  return { results };
}

/** The first active channel for which the buyer has an address. */
export function channelFor(
  { phone, email }: Pick<Subscription["client"], "phone" | "email">,
  only: SendingChannel | null,
  channels: { channel: string; is_active: boolean }[],
): SendingChannel | null {
  const found = SENDING_CHANNELS.find(
    (name) =>
      (only === null || only === name) &&
      channels.some(({ channel, is_active }) => is_active && channel === name) &&
      (name === "email" ? email : phone) !== "",
  );
  return found ?? null;
}
