import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FailureNotice } from "#components/forms/use-action.tsx";
import { useScope, useSeller } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextArea } from "#components/ui/forms/fields.tsx";
import { Link2Off } from "#components/ui/icons.tsx";
import type { QueueEntry } from "#lib/collection/queries.ts";
import { channelsReaching, usualChannel } from "#lib/collection/rules.ts";
import { remindersQuery } from "#lib/messages/reminders/queries.ts";
import {
  languageFor,
  type ReminderChannel,
  reminderFor,
  reminderKind,
  type ReminderKind,
  OUR_LANGUAGES,
  remindersOf,
  type SellerTexts,
  writtenLanguage,
} from "#lib/messages/reminders/rules.ts";
import type { ContactActions } from "#components/collection/state/use-contact-actions.ts";
import type { QueueState } from "#components/collection/state/use-queue.ts";
import { calendarDay } from "#lib/format/format.ts";
import { messageFacts } from "#lib/messages/channels.ts";
import { useMessageWriter } from "#components/values/use-message-writer.ts";
import { fillMessage, priceNoticeText } from "#lib/messages/rules.ts";
import type { PriceNotice } from "#lib/money/price.ts";
import { CallButton, ChannelButtons } from "./channel-buttons.tsx";
import { ContactedWarning, useDuplicateWarning } from "./duplicate-warning.tsx";

interface MessageEditorProps {
  desk: QueueState;
  entry: QueueEntry;
  acts: ContactActions;
}

/** The filled-in reminder, and buttons that open it in an app, in which the member sends it. */
export function MessageEditor(props: MessageEditorProps) {
  const reminders = useQuery(remindersQuery(useScope()));
  const { desk, entry } = props;
  const { checkout_url: link } = entry;
  const { next } = desk.outreach;
  const isNext = desk.isOutreachOpen && next?.id === entry.subscription.subscription_id;
  const notice = (isNext && next?.notice) || null;
  if (link === null && !notice) return <WithoutLink {...props} />;
  return <Composer {...{ ...props, link, notice }} texts={reminders.data ?? OURS} />;
}

/** The default texts, used while the seller's own are not loaded. */
const OURS: SellerTexts = { reminders: remindersOf([]), languages: OUR_LANGUAGES };

/**
 * The buttons for a buyer without a checkout link: there is no message, but the buyer can be
 * called.
 */
function WithoutLink({ entry, acts }: MessageEditorProps) {
  const t = useTranslations("collection.message");
  const reached = useDuplicateWarning(entry, acts);
  return (
    <div className="grid justify-items-start gap-3">
      <p className="flex items-start gap-2 text-muted">
        <Link2Off aria-hidden className="mt-0.5 size-4 shrink-0" />
        {t("noLink")}
      </p>
      <ContactedWarning {...{ entry, reached }} />
      <FailureNotice failure={acts.failure} />
      <CallButton {...{ entry, acts, reached }} />
    </div>
  );
}

interface ComposerProps {
  /** The checkout link, which a notice does not need. */
  link: string | null;
  notice: PriceNotice | null;
  texts: SellerTexts;
}

function Composer({
  desk,
  entry,
  acts,
  link,
  notice,
  texts: { reminders, languages },
}: MessageEditorProps & ComposerProps) {
  const t = useTranslations("collection.message");
  const [chosen, setLanguage] = useState<string | null>(null);
  const kind = reminderKindOf(entry);
  const asked =
    chosen ??
    languageFor(reminders, kind, {
      name: entry.subscription.client.full_name,
      remembered: entry.contacted.language,
    });
  const language = writtenLanguage(reminders, kind, asked);
  const reached = useDuplicateWarning(entry, acts);
  const { time_zone } = useSeller();
  const channels = channelsReaching(entry.subscription.client, time_zone);
  const usual = usualChannel(channels, desk.setting?.usual_channel ?? null);
  const { textFor, subject } = useReminder(entry, {
    reminders,
    language,
    link: link ?? "",
    notice,
  });
  // An edited text stays until the language changes.
  const [typed, setTyped] = useState<{ language: string; text: string } | null>(null);
  const isTyped = typed?.language === language;
  const text = isTyped ? typed.text : textFor(usual ?? "any");
  return (
    <section aria-labelledby="desk-message-title" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id="desk-message-title" className="font-semibold">
          {t(notice ? "noticeTitle" : "title")}
        </h3>
        <div role="group" aria-label={t("language")} className="flex flex-wrap gap-1">
          {languages.map(({ code, name }) => (
            <Button
              key={code}
              look="quiet"
              lang={code}
              aria-pressed={code === asked}
              onClick={() => setLanguage(code)}
              className="h-8 aria-pressed:bg-sunken aria-pressed:text-ink"
            >
              {name}
            </Button>
          ))}
        </div>
      </div>
      <ContactedWarning {...{ entry, reached }} />
      <FailureNotice failure={acts.failure} />
      <TextArea
        id="desk-message"
        label={t("text")}
        error={notice || text.includes(link ?? "") ? undefined : t("withoutLink")}
        hint={asked === language ? undefined : t("noText")}
        lang={language}
        dir="auto"
        value={text}
        onChange={(event) => setTyped({ language, text: event.target.value })}
      />
      <ChannelButtons
        {...{ entry, acts, reached, channels, usual, link, language, subject }}
        // Other channels may have their own text, such as the short SMS.
        textOf={(channel) => (isTyped || channel === usual ? text : textFor(channel))}
      />
    </section>
  );
}

/** The kind of reminder for the buyer's status. */
function reminderKindOf({
  status,
  subscription,
}: Pick<QueueEntry, "status" | "subscription">): ReminderKind {
  // The end of the grace period matters more than a failed payment.
  if (status.group === "grace") return "grace";
  return status.is_failed ? "failed" : (status.group ?? reminderKind(subscription));
}

interface ReminderOptions extends Pick<ComposerProps, "notice"> {
  reminders: SellerTexts["reminders"];
  language: string;
  link: string;
}

/** The filled-in text for each channel, and the email subject. */
function useReminder(
  entry: QueueEntry,
  { reminders, language, link, notice }: ReminderOptions,
) {
  const seller = useSeller();
  const { subscription, status, to_pay } = entry;
  const kind = reminderKindOf(entry);
  const next = subscription.next_billing_cycle;
  // A kept debt is dated by its original date, not by the moved one.
  const kept = subscription.status === "due" ? undefined : entry.contacted.debt?.since;
  const writer = useMessageWriter(language);
  const facts = messageFacts(writer, subscription, {
    seller,
    link,
    to_pay,
    day: kept ?? (next && calendarDay(next, seller.time_zone)),
    days: status.left ?? status.until,
  });
  if (notice) {
    const told = { language, facts, writer, amount_style: seller.amount_style };
    return {
      textFor: (channel: ReminderChannel) =>
        priceNoticeText(notice, channel === "sms" ? "sms" : "any", told),
      subject: priceNoticeText(notice, "subject", told),
    };
  }
  return {
    textFor: (channel: ReminderChannel) =>
      fillMessage(reminderFor(reminders, kind, language, channel), facts),
    subject: fillMessage(reminderFor(reminders, kind, language, "subject"), facts),
  };
}
