import type { BuyerLanguage, BuyerLanguageQuery } from "#contract/messages.ts";
import type { ReminderStep } from "#contract/process/reminder-calendar.ts";
import { fillPlaceholders } from "#contract/message-text.ts";
import { isMessageLanguage, valuesIn } from "#contract/message-text.ts";
import type { MessageLanguage, ReminderPlaceholder } from "#contract/names.ts";
import type { Checkout } from "../checkout/open.ts";
import { WRITING } from "../checkout/reader.ts";
import { queryRow, type Database } from "../db/database.ts";
import { localDate } from "#contract/process/local-day.ts";
import type { Schedule } from "./schedule-store.ts";
import { REMINDER_WORDS } from "./words.ts";

interface ChosenLanguage {
  language: string;
  /** The buyer's own language, if the step has no text in it. */
  asked: string | null;
}

/**
 * The language for a buyer: the one that they or a member chose, or the schedule's if the step has no
 * text in it. Without a choice, the first of these in which the step has a text: the language of the
 * last message to them, Nepali for a name in Devanagari, the schedule's.
 */
export async function languageFor(
  database: Database,
  buyer: { seller_id: number; customer_id: number; full_name: string },
  schedule: Pick<Schedule, "language">,
  step: Pick<ReminderStep, "texts">,
): Promise<ChosenLanguage> {
  // A receipt is in both languages, so it does not count as the last message.
  const known = await queryRow<{ chosen: string | null; last: string | null }>(
    database,
    `select c.language as chosen, (
       select m.language from subscription s join lateral (
         select language, queued_at from message m
         where m.seller_id = s.seller_id and m.subscription_id = s.subscription_id
           and m.kind <> 'receipt'
           and (m.kind <> 'reminder' or m.sent_at is not null)
         order by queued_at desc limit 1) m on true
       where s.seller_id = c.seller_id and s.customer_id = c.id
       order by m.queued_at desc limit 1) as last
     from customer c where c.seller_id = $2 and c.id = $1`,
    [buyer.customer_id, buyer.seller_id],
  );
  const { chosen = null, last = null } = known ?? {};
  const written = (name: string | null) =>
    step.texts.find(({ language }) => language === name)?.language;
  if (chosen !== null) {
    const language = written(chosen);
    return { language: language ?? schedule.language, asked: language ? null : chosen };
  }
  const ofName = /\p{Script=Devanagari}/u.test(buyer.full_name) ? "ne" : null;
  return { language: written(last) ?? written(ofName) ?? schedule.language, asked: null };
}

/** A customer's chosen language; null if the seller has no such customer or subscription. */
export const selectBuyerLanguage = (
  database: Database,
  sellerId: number,
  { customer_id, subscription_id }: BuyerLanguageQuery,
): Promise<BuyerLanguage | null> =>
  queryRow<BuyerLanguage>(
    database,
    `select id::int as customer_id, language from customer
     where seller_id = $1 and id = coalesce($2::bigint,
       (select customer_id from subscription where seller_id = $1 and subscription_id = $3::uuid))`,
    [sellerId, customer_id ?? null, subscription_id ?? null],
  );

interface Values {
  money: (currency: string, amount: string) => string;
  /** @param date YYYY-MM-DD */
  day: (date: string) => string;
  days: (count: number) => string;
}

/** How the values in a text are written: as in English if the system does not know the language. */
function writingIn(language: string): Values {
  if (!isMessageLanguage(language)) {
    const values = valuesIn(language);
    return values
      ? { ...values, days: values.days ?? REMINDER_WORDS.en.days }
      : writingIn("en");
  }
  const { money, day, digits } = WRITING[language];
  return {
    money,
    day: (date: string) => day(Temporal.PlainDate.from(date)),
    days: (count: number) => digits(REMINDER_WORDS[language].days(count)),
  };
}

/** The language of the service's own words next to a seller's text. */
const ourLanguage = (language: string, usual: MessageLanguage) =>
  isMessageLanguage(language) ? language : usual;

interface Written {
  checkout: Checkout;
  step: Pick<ReminderStep, "texts">;
  language: string;
  /** The schedule's language. */
  usual: MessageLanguage;
  channel: string | null;
  /** Other ways to pay. */
  payTo: string | null;
  publicUrl: string;
  stopUrl: string;
}

/** The text of a reminder now, and the values for a provider's approved template. */
export function writeReminder({
  checkout,
  step,
  language,
  usual,
  channel,
  payTo,
  publicUrl,
  stopUrl,
}: Written): { subject: string; body: string; parameters: string[] } {
  const { subscription, seller, amount, now } = checkout;
  const { money, day, days } = writingIn(language);
  const texts = step.texts.find((one) => one.language === language) ?? step.texts[0];
  if (!texts) throw new Error("a step has no texts");
  const billingDate =
    subscription.next_billing_cycle &&
    localDate(subscription.next_billing_cycle, seller.time_zone);
  const values: Record<ReminderPlaceholder, string> = {
    name: subscription.full_name,
    product:
      subscription.product_name || REMINDER_WORDS[ourLanguage(language, usual)].subscription,
    plan: [subscription.plan_name, subscription.label].filter(Boolean).join(", "),
    seller: seller.name,
    amount: money(subscription.currency, amount.total),
    date: billingDate ? day(billingDate.toString()) : "",
    days: billingDate ? days(daysLeft(billingDate, checkout, now)) : "",
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
      usual,
      stopUrl,
    }),
    parameters: [name, product, values.amount, date, link, stop],
  };
}

/**
 * A filled text with the address that ends the reminders: at its placeholder, or else at its end.
 */
export function withStop(
  text: string,
  {
    channel,
    language,
    usual,
    stopUrl,
  }: Pick<Written, "channel" | "language" | "usual" | "stopUrl">,
): string {
  if (text.includes("{stop}")) return text.replaceAll("{stop}", stopUrl);
  const gap = channel === "sms" ? "\n" : "\n\n";
  return `${text}${gap}${REMINDER_WORDS[ourLanguage(language, usual)].stop(stopUrl)}`;
}

/** Days until the billing date, or after it until the grace period ends. */
function daysLeft(
  billingDate: Temporal.PlainDate,
  { seller }: Pick<Checkout, "seller">,
  now: Date,
): number {
  const today = localDate(now, seller.time_zone);
  const until = today.until(billingDate).days;
  return until >= 0 ? until : until + seller.grace_days;
}
