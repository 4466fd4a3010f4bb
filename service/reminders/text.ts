import type { ReminderStep } from "#contract/process/reminder-calendar.ts";
import { fillPlaceholders } from "#contract/message-text.ts";
import type { MessageLanguage, ReminderPlaceholder } from "#contract/names.ts";
import type { Checkout } from "../checkout/open.ts";
import { WRITING } from "../checkout/reader.ts";
import { queryValue, type Database } from "../db/database.ts";
import { localDate } from "#contract/process/local-day.ts";
import type { Schedule } from "./schedule-store.ts";
import { WORDS } from "./words.ts";

/**
 * The language for a buyer: the one they chose, else that of the last message to them, else Nepali for a name in Devanagari,
 * else the schedule's; of the languages in which the step has a text.
 */
export async function languageFor(
  database: Database,
  buyer: { customer_id: number; full_name: string },
  schedule: Pick<Schedule, "language">,
  step: Pick<ReminderStep, "texts">,
): Promise<MessageLanguage> {
  const last = await queryValue<string>(
    database,
    `select coalesce((select language from customer where id = $1), (
     select m.language from subscription s join lateral (
       select language, queued_at from message m
       where m.subscription_id = s.subscription_id
         and (m.kind <> 'reminder' or m.sent_at is not null)
       order by queued_at desc limit 1) m on true
     where s.customer_id = $1 order by m.queued_at desc limit 1))`,
    [buyer.customer_id],
  );
  const written = (name: string | null) =>
    step.texts.find(({ language }) => language === name)?.language;
  const ofName = /\p{Script=Devanagari}/u.test(buyer.full_name) ? "ne" : null;
  return written(last) ?? written(ofName) ?? written(schedule.language) ?? schedule.language;
}

interface Written {
  checkout: Checkout;
  step: Pick<ReminderStep, "texts">;
  language: MessageLanguage;
  channel: string | null;
  /** How buyers can pay otherwise. */
  payTo: string | null;
  publicUrl: string;
  stopUrl: string;
}

/** What a reminder says now, and what a provider's approved template is filled with. */
export function writeReminder({
  checkout,
  step,
  language,
  channel,
  payTo,
  publicUrl,
  stopUrl,
}: Written): { subject: string; body: string; parameters: string[] } {
  const { subscription, seller, amount, now } = checkout;
  const { money, day, digits } = WRITING[language];
  const words = WORDS[language];
  const texts = step.texts.find((one) => one.language === language) ?? step.texts[0];
  if (!texts) throw new Error("a step has no texts");
  const billingDate =
    subscription.next_billing_cycle &&
    localDate(subscription.next_billing_cycle, seller.time_zone);
  const values: Record<ReminderPlaceholder, string> = {
    name: subscription.full_name,
    product: subscription.product_name || words.subscription,
    plan: [subscription.plan_name, subscription.label].filter(Boolean).join(", "),
    seller: seller.name,
    amount: money(subscription.currency, amount.total),
    date: billingDate ? day(billingDate) : "",
    days: billingDate ? digits(words.days(daysLeft(billingDate, checkout, now))) : "",
    link: `${publicUrl}/pay/${subscription.subscription_id}`,
    pay_to: payTo ?? "",
    stop: stopUrl,
  };
  const text = (channel === "sms" && texts.sms) || texts.text;
  const { name, product, date, link, stop } = values;
  return {
    subject: fillPlaceholders(texts.subject, values),
    body: withStop(fillPlaceholders(text, { ...values, stop: "{stop}" }), {
      channel,
      language,
      stopUrl,
    }),
    parameters: [name, product, values.amount, date, link, stop],
  };
}

/** A filled text with the address that ends the reminders, where it names it or at its end. */
export function withStop(
  text: string,
  { channel, language, stopUrl }: { channel: string | null; language: string; stopUrl: string },
): string {
  if (text.includes("{stop}")) return text.replaceAll("{stop}", stopUrl);
  const gap = channel === "sms" ? "\n" : "\n\n";
  return `${text}${gap}${WORDS[language === "ne" ? "ne" : "en"].stop(stopUrl)}`;
}

/** Until the billing date, and after it until the end of grace. */
function daysLeft(
  billingDate: Temporal.PlainDate,
  { seller }: Pick<Checkout, "seller">,
  now: Date,
): number {
  const today = localDate(now, seller.time_zone);
  const until = today.until(billingDate).days;
  return until >= 0 ? until : until + seller.grace_days;
}
