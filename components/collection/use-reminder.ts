import { useSeller } from "#components/layout/seller-context.tsx";
import type { DeskEntry } from "#lib/collection/queries.ts";
import { calendarDay } from "#lib/format.ts";
import type { Language } from "#lib/i18n/languages.ts";
import { messageFacts } from "#lib/messages/channels/rules.ts";
import {
  OUR_REMINDERS,
  reminderFor,
  type ReminderChannel,
  type Reminders,
} from "#lib/messages/reminders/rules.ts";
import { fillMessage, writerFor } from "#lib/messages/rules.ts";

interface Wanted {
  /** Null while the seller's own could not be read: then ours. */
  reminders: Reminders | null;
  language: Language;
  channel: ReminderChannel;
  link: string;
}

/** The message for how the buyer stands, with all that it names. */
export function useReminder(
  { subscription, standing }: DeskEntry,
  { reminders, language, channel, link }: Wanted,
): string {
  const { name: seller, time_zone, currency: usual, amount_style } = useSeller();
  const kind = standing.is_failed ? "failed" : (standing.group ?? "due");
  const body = reminders
    ? reminderFor(reminders, kind, language, channel)
    : OUR_REMINDERS[kind][language];
  const writer = writerFor(body);
  const { price, currency } = subscription.product;
  const day =
    subscription.next_billing_cycle && calendarDay(subscription.next_billing_cycle, time_zone);
  return fillMessage(
    body,
    messageFacts(writer, subscription, {
      seller,
      link,
      amount: price && writer.money(price, currency || usual, amount_style),
      date: day ? writer.date(day) : "",
    }),
  );
}
