import { useQuery } from "@tanstack/react-query";
import { ExternalLink, Link2, Link2Off, Phone, QrCode, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { lazy, Suspense, useState } from "react";
import { FailureNotice } from "#components/layout/failure-notice.tsx";
import { useScope, useSeller } from "#components/layout/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { copyText } from "#components/ui/copy-button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { KeyCaps } from "#components/ui/key-caps.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextArea } from "#components/ui/text-area.tsx";
import type { DeskEntry } from "#lib/collection/queries.ts";
import {
  needsWarning,
  reachableBy,
  usualFor,
  type MessageChannel,
} from "#lib/collection/rules.ts";
import { LANGUAGES, type Language } from "#lib/i18n/languages.ts";
import { channelsFor } from "#lib/messages/channels/rules.ts";
import { remindersQuery } from "#lib/messages/reminders/queries.ts";
import { languageFor, remindersOf, type Reminders } from "#lib/messages/reminders/rules.ts";
import { reminderKindOf, useReminder } from "./use-reminder.ts";
import { useAgo } from "./use-standing-words.ts";
import type { Acts } from "./use-acts.ts";
import type { Desk } from "./use-desk.ts";

const LinkCode = lazy(async () => {
  const { LinkCode: component } = await import("#components/layout/link-code.tsx");
  return { default: component };
});

interface DeskMessageProps {
  desk: Desk;
  entry: DeskEntry;
  acts: Acts;
}

/** The ready message, and every way to bring it or its link to the buyer. Duebook itself sends nothing. */
export function DeskMessage(props: DeskMessageProps) {
  const t = useTranslations("collection.message");
  const reminders = useQuery(remindersQuery(useScope()));
  const { entry } = props;
  if (entry.checkout_url === null)
    return (
      <p className="flex items-start gap-2 text-muted">
        <Link2Off aria-hidden className="mt-0.5 size-4 shrink-0" />
        {t("noLink")}
      </p>
    );
  return <Composer {...props} link={entry.checkout_url} reminders={reminders.data ?? OURS} />;
}

/** While the seller's own could not be read. */
const OURS = remindersOf([]);

interface ComposerProps extends DeskMessageProps {
  link: string;
  reminders: Reminders;
}

function Composer({ desk, entry, acts, link, reminders }: ComposerProps) {
  const t = useTranslations("collection");
  const { time_zone, now, person } = useSeller();
  const { client } = entry.subscription;
  const [chosen, setLanguage] = useState<Language | null>(null);
  const language =
    chosen ??
    languageFor(reminders, reminderKindOf(entry), {
      name: client.full_name,
      remembered: entry.contacted.language,
    });
  const [isCodeOpen, setCodeOpen] = useState(false);
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const channels = reachableBy(client, time_zone);
  const usual = usualFor(channels, desk.setting?.usual_channel ?? null);
  const { textFor, subject } = useReminder(entry, { reminders, language, link });
  // What was changed by hand stays until the language is another.
  const [typed, setTyped] = useState<{ language: Language; text: string } | null>(null);
  const isTyped = typed?.language === language;
  const text = isTyped ? typed.text : textFor(usual ?? "any");
  const last = acts.overtaken ?? null;
  const lastId = last?.id ?? entry.contacted.last?.id ?? null;
  const isWarned = last !== null || needsWarning(entry.contacted.last, now);
  // Of what a colleague did meanwhile the press before this one has told.
  const isMeant = !isWarned || last !== null || confirmed === lastId;

  /** The first press beside somebody's fresh message says so; the second one means it. */
  function isHeldUp(): boolean {
    if (isMeant) return false;
    setConfirmed(lastId);
    return true;
  }

  async function openIn(channel: MessageChannel) {
    if (isHeldUp()) return;
    // Another app than the usual one may have a text of its own, as the short one of an SMS.
    const carried = isTyped || channel === usual ? text : textFor(channel);
    const address = channelsFor(carried, { ...client, time_zone }, subject).find(
      ({ app }) => app === (channel === "mail" ? "email" : channel),
    );
    if (address && (await acts.remind(channel, language, lastId))) follow(address.href);
  }

  async function copyLink() {
    if (isHeldUp()) return;
    await copyText(link);
    await acts.remind("link", null, lastId);
  }

  async function call() {
    if (await acts.remind("call", null, lastId, false)) follow(`tel:${client.phone}`);
  }

  return (
    <section aria-labelledby="desk-message-title" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id="desk-message-title" className="font-semibold">
          {t("message.title")}
        </h3>
        <div role="group" aria-label={t("message.language")} className="flex gap-1">
          {LANGUAGES.map((one) => (
            <Button
              key={one}
              look="quiet"
              aria-pressed={one === language}
              onClick={() => setLanguage(one)}
              className="h-8 aria-pressed:bg-sunken aria-pressed:text-ink"
            >
              {t(`message.in.${one}`)}
            </Button>
          ))}
        </div>
      </div>
      {isWarned && (
        <Written
          entry={entry}
          overtaken={last}
          isOwn={entry.contacted.last?.person.id === person}
          isAsked={isMeant}
        />
      )}
      <FailureNotice failure={acts.failure} />
      <TextArea
        id="desk-message"
        label={t("message.text")}
        error={text.includes(link) ? undefined : t("message.withoutLink")}
        lang={language}
        value={text}
        onChange={(event) => setTyped({ language, text: event.target.value })}
      />
      <div className="flex flex-wrap gap-2">
        {usual && (
          <Button
            look="primary"
            className="h-9"
            aria-keyshortcuts="m"
            isPending={acts.isPending}
            onClick={() => void openIn(usual)}
          >
            <ExternalLink aria-hidden className="size-4" />
            {t("message.openIn", { app: t(`channel.${usual}`) })}
            <KeyCaps keys={["m"]} className="max-md:hidden" />
          </Button>
        )}
        {channels
          .filter((channel) => channel !== usual)
          .map((channel) => (
            <Button
              key={channel}
              className="h-9"
              disabled={acts.isPending}
              onClick={() => void openIn(channel)}
            >
              {t(`channel.${channel}`)}
            </Button>
          ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          className="h-9"
          aria-keyshortcuts="l"
          disabled={acts.isPending}
          onClick={() => void copyLink()}
        >
          <Link2 aria-hidden className="size-4" />
          {t("message.copyLink")}
          <KeyCaps keys={["l"]} className="max-md:hidden" />
        </Button>
        <Button
          className="h-9"
          aria-keyshortcuts="q"
          aria-haspopup="dialog"
          disabled={acts.isPending}
          onClick={() => {
            setCodeOpen(true);
            void acts.remind("qr", null, lastId, false);
          }}
        >
          <QrCode aria-hidden className="size-4" />
          {t("message.code")}
          <KeyCaps keys={["q"]} className="max-md:hidden" />
        </Button>
        {client.phone && (
          <Button className="h-9" disabled={acts.isPending} onClick={() => void call()}>
            <Phone aria-hidden className="size-4" />
            {t("message.call")}
          </Button>
        )}
      </div>
      <Dialog
        title={t("message.codeTitle")}
        isOpen={isCodeOpen}
        onClose={() => setCodeOpen(false)}
      >
        <Suspense fallback={<span className="skeleton h-80" />}>
          <LinkCode subscription={entry.subscription} link={link} />
        </Suspense>
      </Dialog>
    </section>
  );
}

interface WrittenProps {
  entry: DeskEntry;
  overtaken: Acts["overtaken"];
  isOwn: boolean;
  /** The next press writes all the same. */
  isAsked: boolean;
}

/** That somebody has just written to this buyer. */
function Written({ entry, overtaken, isOwn, isAsked }: WrittenProps) {
  const t = useTranslations("collection");
  const ago = useAgo();
  const { last } = entry.contacted;
  const channel = overtaken?.channel ?? last?.channel ?? null;
  const name = overtaken?.person_name ?? last?.person.name ?? "";
  const when = ago(overtaken?.at ?? last?.at ?? "");
  const by = channel ? t(`channel.${channel}`) : "";
  return (
    <Notice look="warning" icon={TriangleAlert} role="status">
      {isOwn && !overtaken
        ? t("message.youWrote", { when, channel: by })
        : t("message.theyWrote", { name, when, channel: by })}{" "}
      {isAsked && <strong className="font-semibold">{t("message.pressAgain")}</strong>}
    </Notice>
  );
}

/** As a press on such a link: the page stays. */
function follow(href: string) {
  const link = document.createElement("a");
  link.href = href;
  link.target = "_blank";
  link.rel = "noreferrer";
  link.click();
}
