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

/** The kind of reminder for the buyer's status. */
export function reminderKindOf({
  status,
  subscription,
}: Pick<QueueEntry, "status" | "subscription">): ReminderKind {
  // Ending soon matters more than a failed payment.
  if (status.group === "grace") return "grace";
  return status.is_failed ? "failed" : (status.group ?? reminderKind(subscription));
}

/** The filled-in text for each channel, and the email subject. */
export function useReminder(entry: QueueEntry, { reminders, language, link }: Wanted) {
  const seller = useSeller();
  const { subscription, status, to_pay } = entry;
  const kind = reminderKindOf(entry);
  const next = subscription.next_billing_cycle;
  // A kept debt is dated by its original date, not by the moved one.
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
