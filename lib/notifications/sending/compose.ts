import "server-only";
import { SENDING_CHANNELS } from "#contract/names.ts";
import { env } from "#lib/env.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { Mail } from "#lib/mail.ts";
import { CHANNELS_PAGE } from "#lib/messages/sending/search.ts";
import { scopePath, type Scope } from "#lib/scope.ts";
import { NOTICES_PAGE, type NoticeKind } from "../rules.ts";
import { unsubscribeLinks, unsubscribeToken } from "../unsubscribe.ts";
import type { MorningLine } from "./morning.ts";

/** The recipient of a notice, and the seller that it is about. */
export interface NoticeReader {
  setting_id: string;
  email: string;
  seller: string;
  scope: Scope;
}

/** The content of a notice, other than the morning list. */
export interface NoticeContent {
  kind: Exclude<NoticeKind, "morning">;
  /** How many payments the notice is about; 1 for other kinds. */
  count: number;
  subscription_id: string | null;
  subject: string | null;
  /** The buyer's name, if it may be shown. */
  buyer: string | null;
}

const hrefOf = (path: string) => new URL(path, env().NEXTAUTH_URL).href;

/** The mail of a morning; it names no buyer. */
export function morningMail(
  t: Translate<"notices">,
  reader: NoticeReader,
  lines: readonly MorningLine[],
): Mail {
  const { seller, scope } = reader;
  const told = lines.map((line) => [lineText(t, line), hrefOf(line.path)].join("\n"));
  return mailOf(t, reader, "morning", {
    subject: t("mail.morning", { seller, mode: scope.mode }),
    text: [t("mail.morningText", { seller }), ...told],
  });
}

/** A line of the morning list, such as "Due: 12". */
function lineText(
  t: Translate<"notices">,
  { item, count, isLeast }: Pick<MorningLine, "item" | "count" | "isLeast">,
): string {
  const label = t(`items.${item}`);
  if (count === null) return t("mail.unknown", { label });
  return t(isLeast ? "mail.least" : "mail.line", { label, count });
}

export function noticeMail(
  t: Translate<"notices">,
  reader: NoticeReader,
  told: NoticeContent,
): Mail {
  const { seller, scope } = reader;
  const words = toldWords(t, told);
  return mailOf(t, reader, told.kind, {
    subject: t("mail.told", { title: words.title, seller, mode: scope.mode }),
    text: [words.body, hrefOf(scopePath(scope, pathOf(told)))],
  });
}

function mailOf(
  t: Translate<"notices">,
  { setting_id, email, scope }: NoticeReader,
  kind: NoticeKind,
  { subject, text }: { subject: string; text: readonly string[] },
): Mail {
  const links = unsubscribeLinks(unsubscribeToken({ setting_id, kind }));
  const end = [
    t("mail.why"),
    `${t("mail.stop")}\n${links.page}`,
    `${t("mail.settings")}\n${hrefOf(scopePath(scope, NOTICES_PAGE))}`,
  ];
  return {
    to: email,
    subject,
    text: [...text, "--", ...end].join("\n\n"),
    unsubscribe: links.oneClick,
  };
}

/** What the service worker shows; `url` has no personal data. */
export interface Push {
  title: string;
  body: string;
  url: string;
  /** A later push with the same tag replaces this one. */
  tag: string;
}

export function morningPush(
  t: Translate<"notices">,
  { seller, scope }: NoticeReader,
  lines: readonly MorningLine[],
): Push {
  return {
    title: t("mail.morning", { seller, mode: scope.mode }),
    body: lines.map((line) => lineText(t, line)).join("\n"),
    url: (lines.length === 1 && lines[0]?.path) || scopePath(scope, "/collection"),
    tag: "morning",
  };
}

export function noticePush(
  t: Translate<"notices">,
  reader: NoticeReader,
  told: NoticeContent,
): Push {
  const { seller, scope } = reader;
  const { title, body } = toldWords(t, told);
  return {
    title: t("mail.told", { title, seller, mode: scope.mode }),
    body,
    url: scopePath(scope, pathOf(told)),
    tag: [told.kind, told.subscription_id ?? told.subject ?? ""].join(" "),
  };
}

function toldWords(
  t: Translate<"notices">,
  { kind, count, subject, buyer }: NoticeContent,
): { title: string; body: string } {
  const title = t(`kinds.${kind}`);
  if (kind === "payment") {
    if (count > 1) return { title, body: t("told.payments", { count }) };
    return { title, body: buyer ? t("told.paymentOf", { buyer }) : t("told.payment") };
  }
  if (kind === "promise_broken")
    return { title, body: buyer ? t("told.promiseOf", { buyer }) : t("told.promise") };
  if (kind === "endpoint_off")
    return { title, body: t("told.endpoint", { host: subject ?? "" }) };
  if (kind === "provider_failed")
    return { title, body: t("told.provider", { provider: subject ?? "" }) };
  const channel = SENDING_CHANNELS.find((one) => one === subject) ?? "sms";
  return { title, body: t("told.channel", { channel: t(`channels.${channel}`) }) };
}

/** The path of a notice's subject, below the seller and mode. */
function pathOf({ kind, count, subscription_id }: NoticeContent): string {
  if (kind === "endpoint_off") return "/settings/webhooks";
  if (kind === "channel_failed") return CHANNELS_PAGE;
  if (kind === "provider_failed") return "/settings/payments";
  return count > 1 || subscription_id === null
    ? "/notifications"
    : `/subscriptions/${encodeURIComponent(subscription_id)}`;
}
