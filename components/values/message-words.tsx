import { useTranslations } from "next-intl";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import {
  CircleCheck,
  CircleHelp,
  CircleOff,
  CircleX,
  Clock3,
  MailOpen,
  Send,
} from "#components/ui/icons.tsx";
import { MESSAGE_WAITS, REMINDER_WITHDRAWALS } from "#contract/field-messages.ts";
import {
  MESSAGE_KINDS,
  MESSAGE_PROVIDERS,
  MESSAGE_STATES,
  SENDING_CHANNELS,
  type MessageState,
} from "#contract/names.ts";
import type { SentMessage } from "#contract/messages.ts";

const known = <Name extends string>(names: readonly Name[], text: string): Name | undefined =>
  names.find((name) => name === text);

/** @returns a function that names a provider; one of a newer service keeps its own name */
export function useProviderName(): (provider: string) => string {
  const t = useTranslations("sending");
  return (provider) => {
    const name = known(MESSAGE_PROVIDERS, provider);
    return name ? t(`provider.${name}`) : provider;
  };
}

export function useKindName(): (kind: string) => string {
  const t = useTranslations("sending.kind");
  return (kind) => {
    const name = known(MESSAGE_KINDS, kind);
    return name ? t(name) : kind;
  };
}

/** @returns a function that names a channel; for null it says that no channel is left */
export function useChannelName(): (channel: string | null) => string {
  const t = useTranslations("sending.channel");
  return (channel) => {
    const name = known(SENDING_CHANNELS, channel ?? "");
    return name ? t(name) : (channel ?? t("none"));
  };
}

/** @returns a function for the meaning of a state; empty for one of a newer service */
export function useStateMeaning(): (state: string) => string {
  const t = useTranslations("sending");
  return (state) => {
    const name = known(MESSAGE_STATES, state);
    return name ? t(`meaning.${name}`) : "";
  };
}

const REASONS = { ...REMINDER_WITHDRAWALS, ...MESSAGE_WAITS };
const isReason = (code: string | null): code is keyof typeof REASONS =>
  code !== null && Object.hasOwn(REASONS, code);

/**
 * @returns a function for the reason why a message was not sent or did not arrive: the service's own
 *   reasons in words, else the provider's text, else its code; the codes of mail servers for a wrong
 *   address and a full mailbox (RFC 3463) are in words too
 */
export function useMessageReason(): (
  message: Pick<SentMessage, "error" | "error_code">,
) => string | null {
  const t = useTranslations("reminders.reason");
  const tOfReport = useTranslations("sending.reported");
  return ({ error, error_code: code }) => {
    if (isReason(code)) return t(code);
    if (error !== null || code === null) return error;
    if (/^5\.1\.\d+$/.test(code)) return tOfReport("address");
    return /^[45]\.2\.2$/.test(code) ? tOfReport("full") : tOfReport("code", { code });
  };
}

const LOOKS: Record<MessageState, BadgeLook> = {
  queued: { icon: Clock3, tone: "pending" },
  sending: { icon: Send, tone: "pending" },
  accepted: { icon: CircleCheck, tone: "accent" },
  delivered: { icon: CircleCheck, tone: "active" },
  read: { icon: MailOpen, tone: "active" },
  failed: { icon: CircleX, tone: "danger" },
  unknown: { icon: CircleHelp, tone: "warning" },
  expired: { icon: CircleOff, tone: "inactive" },
  withdrawn: { icon: CircleOff, tone: "inactive" },
};

export function MessageStateBadge({ state }: { state: string }) {
  const t = useTranslations("sending");
  const name = known(MESSAGE_STATES, state);
  if (!name) return <Badge>{state || t("list.unknownState")}</Badge>;
  return <Badge {...LOOKS[name]}>{t(`state.${name}`)}</Badge>;
}

/** A message in a buyer's history, with its state. */
export function SentMessageLine({ message }: { message: SentMessage }) {
  const t = useTranslations("sending.history");
  const kindName = useKindName();
  const channelName = useChannelName();
  const { kind, channel, state } = message;
  const reason = useMessageReason()(message);
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span>
          {t("message", { kind: kindName(kind), channel: channelName(channel) })}
          <span className="text-muted"> · {t("by")}</span>
        </span>
        <MessageStateBadge state={state} />
      </p>
      {reason !== null && <p className="text-sm wrap-anywhere text-muted">{reason}</p>}
    </div>
  );
}
