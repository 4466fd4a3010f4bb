import { useTranslations } from "next-intl";
import { lazy, Suspense, useState } from "react";
import { useSeller } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { beginCopying } from "#components/ui/copy-button.tsx";
import { ExternalLink, Link2, Phone, QrCodeIcon } from "#components/ui/icons.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { KeyCaps } from "#components/ui/key-caps.tsx";
import type { QueueEntry } from "#lib/collection/queries.ts";
import type { MessageChannel } from "#lib/collection/rules.ts";
import { callAddress, channelsFor } from "#lib/messages/channels.ts";
import { prepareToOpen } from "#components/collection/state/open-app.ts";
import type { ContactActions } from "#components/collection/state/use-contact-actions.ts";
import type { DuplicateWarning } from "./duplicate-warning.tsx";

const LinkCode = lazy(async () => {
  const { LinkCode: component } = await import("#components/values/link-code.tsx");
  return { default: component };
});

interface ChannelButtonsProps {
  entry: QueueEntry;
  acts: ContactActions;
  reached: DuplicateWarning;
  channels: MessageChannel[];
  /**
   * The channel that this user used last if it reaches the buyer, else the first that does; null for
   * none.
   */
  usual: MessageChannel | null;
  /** The checkout link; null for a message that needs none. */
  link: string | null;
  language: string;
  subject: string;
  textOf: (channel: MessageChannel) => string;
}

/**
 * Buttons to open the message in an app, to copy its link or show its code, and to call. Each use is
 * logged, but showing the code only on request.
 */
export function ChannelButtons(props: ChannelButtonsProps) {
  const { entry, acts, reached, channels, usual, link, language, subject, textOf } = props;
  const t = useTranslations("collection");
  const { time_zone } = useSeller();
  const { client } = entry.subscription;
  const { lastId: seen } = reached;

  async function openIn(channel: MessageChannel) {
    if (reached.holdUp()) return;
    const app = channel === "mail" ? "email" : channel;
    const all = channelsFor(textOf(channel), { ...client, time_zone }, subject);
    const href = all.find((one) => one.app === app)?.href;
    if (!href) return;
    const opening = prepareToOpen(href);
    if (await acts.remind(channel, { language, seen, again: href })) opening.go();
    else opening.drop();
  }

  async function copyLink() {
    if (link === null || reached.holdUp()) return;
    const copying = beginCopying(link);
    if (!(await acts.remind("link", { seen }))) copying.drop();
    else if ((await copying.go()) === "refused") acts.tellUncopied(link);
  }

  return (
    <>
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
        {link !== null && (
          <>
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
            <CodeButton {...{ entry, acts, reached, link }} />
          </>
        )}
        <CallButton {...{ entry, acts, reached }} />
      </div>
    </>
  );
}

type WayProps = Pick<ChannelButtonsProps, "entry" | "acts" | "reached">;

function CodeButton({ entry, acts, reached, link }: WayProps & { link: string }) {
  const t = useTranslations("collection.message");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        className="h-9"
        aria-keyshortcuts="q"
        aria-haspopup="dialog"
        disabled={acts.isPending}
        onClick={() => setOpen(true)}
      >
        <QrCodeIcon aria-hidden className="size-4" />
        {t("code")}
        <KeyCaps keys={["q"]} className="max-md:hidden" />
      </Button>
      <Dialog title={t("codeTitle")} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Suspense fallback={<span className="skeleton h-80" />}>
          <LinkCode subscription={entry.subscription} link={link} />
        </Suspense>
        {/* Showing the code is not logged as a contact; this button logs it. */}
        <Button
          className="mt-4 h-9 w-full"
          disabled={acts.isPending}
          onClick={() => {
            setOpen(false);
            void acts.remind("qr", { seen: reached.lastId, stays: true });
          }}
        >
          {t("noteCode")}
        </Button>
      </Dialog>
    </>
  );
}

/** A button that calls the buyer; renders nothing without a phone number. */
export function CallButton({ entry, acts, reached }: WayProps) {
  const t = useTranslations("collection.message");
  const address = callAddress(entry.subscription.client.phone);
  if (address === null) return null;
  const call = async () => {
    const seen = reached.lastId;
    const opening = prepareToOpen(address);
    if (await acts.remind("call", { seen, stays: true, again: address })) opening.go();
    else opening.drop();
  };
  return (
    <Button className="h-9" disabled={acts.isPending} onClick={() => void call()}>
      <Phone aria-hidden className="size-4" />
      {t("call")}
    </Button>
  );
}
