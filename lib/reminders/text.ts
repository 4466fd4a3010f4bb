import { fillPlaceholders } from "#contract/message-text.ts";
import type { ReminderStep } from "#contract/process/reminder-calendar.ts";
import type { ReminderPlaceholder } from "#contract/names.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { addDays, daysBetween } from "#lib/format/calendar.ts";
import type { ContactSummary } from "#lib/collection/rules.ts";
import { calendarDay } from "#lib/format/format.ts";
import type { Language } from "#lib/i18n/languages.ts";
import { amountToPay, type Amounts } from "#lib/money/price.ts";
import { messageFacts } from "#lib/messages/channels.ts";
import { messageWriterFor } from "#lib/messages/rules.ts";
import type { Sender } from "./store.ts";

/**
 * The language for a buyer, by the same rules as at Duebook's own service. A chosen language
 * counts, or the schedule's if the step has no text in the chosen one. Without a choice it is the
 * first of these in which the step has a text: the last message's, Nepali for a name in Devanagari,
 * the schedule's.
 * @returns the language, and as `asked` a chosen language without a text
 */
export function languageOf(
  { texts }: Pick<ReminderStep, "texts">,
  { name, known, usual }: { name: string; known: KnownLanguage; usual: Language },
): { language: string; asked: string | null } {
  const { language: last, is_chosen } = known;
  const has = (one: string | null) => texts.some(({ language }) => language === one);
  if (is_chosen && !has(last)) return { language: usual, asked: last };
  const ofName: Language | null = /\p{Script=Devanagari}/u.test(name) ? "ne" : null;
  const language = [last, ofName].find((one) => one !== null && has(one)) ?? usual;
  return { language, asked: null };
}

type KnownLanguage = Pick<ContactSummary, "language" | "is_chosen">;

interface Writing {
  step: Pick<ReminderStep, "texts">;
  language: string;
  /** The schedule's language. */
  usual: Language;
  subscription: Subscription;
  seller: Sender;
  amounts: Amounts;
  link: string;
  /** The seller's day, YYYY-MM-DD. */
  today: string;
  time_zone: string;
  grace_days: number;
}

/** A step's texts, filled in except for `{stop}`, which only the sending service knows. */
export function writeStep({
  step: { texts },
  language,
  usual,
  subscription,
  seller,
  amounts,
  link,
  today,
  time_zone,
  grace_days,
}: Writing) {
  const chosen = texts.find((one) => one.language === language) ?? texts[0];
  if (!chosen) throw new Error("a step has no texts");
  const writer = messageWriterFor(language, usual);
  const { next_billing_cycle, product } = subscription;
  const day = next_billing_cycle && calendarDay(next_billing_cycle, time_zone);
  const end = day && (day >= today ? day : addDays(day, grace_days));
  const facts: Record<ReminderPlaceholder, string> = {
    ...messageFacts(writer, subscription, {
      seller,
      link,
      to_pay: amountToPay(amounts, product),
      day,
      days: end ? Math.max(0, daysBetween(today, end)) : null,
    }),
    pay_to: "",
    stop: "{stop}",
  };
  const { name, amount, date, stop } = facts;
  return {
    language,
    subject: fillPlaceholders(chosen.subject, facts),
    text: fillPlaceholders(chosen.text, facts),
    sms: chosen.sms && fillPlaceholders(chosen.sms, facts),
    parameters: [name, facts.product, amount, date, link, stop],
  };
}
