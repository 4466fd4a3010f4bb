import { useSeller } from "#components/context/seller-context.tsx";
import type { QueueEntry } from "#lib/collection/queries.ts";
import { calendarDay } from "#lib/format/format.ts";
import type { Language } from "#lib/i18n/languages.ts";
import { messageFacts } from "#lib/messages/channels.ts";
import {
  reminderFor,
  reminderKind,
  type ReminderChannel,
  type ReminderKind,
  type Reminders,
} from "#lib/messages/reminders/rules.ts";
import { fillMessage, writerIn } from "#lib/messages/rules.ts";

interface Wanted {
  reminders: Reminders;
  language: Language;
  link: string;
}

/** What a buyer who stands so is written. */
export function reminderKindOf({
  status,
  subscription,
}: Pick<QueueEntry, "status" | "subscription">): ReminderKind {
  // That it ends is more than that a payment failed.
  if (status.group === "grace") return "grace";
  return status.is_failed ? "failed" : (status.group ?? reminderKind(subscription));
}

/** The message for how the buyer stands, with all that it names: of each channel, and a mail's subject. */
export function useReminder(entry: QueueEntry, { reminders, language, link }: Wanted) {
  const seller = useSeller();
  const { subscription, status, to_pay } = entry;
  const kind = reminderKindOf(entry);
  const next = subscription.next_billing_cycle;
  // What was kept is asked for since then, and not from the date that was moved.
  const kept = subscription.status === "due" ? undefined : entry.contacted.debt?.since;
  const facts = messageFacts(writerIn(language), subscription, {
    seller,
    link,
    to_pay,
    day: kept ?? (next && calendarDay(next, seller.time_zone)),
    days: status.left ?? status.until,
  });
  return {
    textFor: (channel: ReminderChannel) =>
      fillMessage(reminderFor(reminders, kind, language, channel), facts),
    subject: fillMessage(reminders[kind][language].subject, facts),
  };
}
