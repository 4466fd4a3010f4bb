import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ScopedLink, useFormat, useScope } from "#components/context/seller-context.tsx";
import { SentMessageLine } from "#components/values/message-words.tsx";
import { cn } from "#lib/cn.ts";
import { describeGoodwillReason } from "#lib/money/goodwill-reasons.ts";
import { describeLeaveReason } from "#lib/money/leave-reasons.ts";
import type { Contact } from "#lib/collection/rules.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { Format } from "#lib/format/format.ts";
import { messagesQuery } from "#lib/messages/sending/queries.ts";
import { messageQueryString, SENT_MESSAGES } from "#lib/messages/sending/search.ts";

interface ContactListProps {
  subscription_id: string;
  contacts: Contact[] | undefined;
}

/**
 * The buyer's contacts and what the service sent by itself, newest first; undone ones are struck
 * through.
 */
export function ContactList({ subscription_id, contacts }: ContactListProps) {
  const t = useTranslations("collection");
  const tOfActs = useTranslations("audit");
  const tOfLeaving = useTranslations("leaving");
  const tOfMessages = useTranslations("sending.history");
  const format = useFormat();
  const search = { subscription: subscription_id };
  // Read after the buyer's own data, so that these are shown first.
  const { data: sent } = useQuery({
    ...messagesQuery(useScope(), search),
    enabled: contacts !== undefined,
  });
  const lines = [
    ...(contacts ?? []).map((contact) => ({ at: contact.at, contact })),
    ...(sent?.messages ?? []).map((message) => ({
      at: message.sent_at ?? message.queued_at,
      message,
    })),
  ].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  return (
    <section aria-labelledby="desk-contacts-title">
      <h3 id="desk-contacts-title" className="font-semibold">
        {t("contacts.title")}
      </h3>
      {contacts === undefined ? (
        <span aria-busy className="skeleton mt-2 h-5 w-2/3" />
      ) : lines.length === 0 ? (
        <p className="mt-1 text-muted">{t("contacts.none")}</p>
      ) : (
        <ol className="mt-2 grid gap-2">
          {lines.map(({ at, ...line }) => (
            <li
              key={"contact" in line ? line.contact.id : line.message.id}
              className="grid gap-x-4 sm:grid-cols-[10.5rem_minmax(0,1fr)]"
            >
              <time dateTime={at} className="text-sm text-muted tabular-nums">
                {format.dateTime(at)}
              </time>
              {"contact" in line ? (
                <p
                  className={cn("min-w-0", line.contact.undone_at && "text-muted line-through")}
                >
                  {describeContact({ t, tOfActs, tOfLeaving, format }, line.contact)}
                  <span className="text-muted"> · {line.contact.person_name}</span>
                  {line.contact.undone_at && (
                    <span className="sr-only"> ({t("contacts.undone")})</span>
                  )}
                </p>
              ) : (
                <SentMessageLine message={line.message} />
              )}
            </li>
          ))}
        </ol>
      )}
      {sent?.has_older && (
        <ScopedLink
          href={`${SENT_MESSAGES}${messageQueryString(search)}`}
          className="link mt-2 inline-block text-sm"
        >
          {tOfMessages("all")}
        </ScopedLink>
      )}
    </section>
  );
}

/** Describes a contact, such as "Opened in WhatsApp" or "Promised to pay on 3 Dec 2026". */
function describeContact(
  {
    t,
    tOfActs,
    tOfLeaving,
    format,
  }: {
    t: Translate<"collection">;
    tOfActs: Translate<"audit">;
    tOfLeaving: Translate<"leaving">;
    format: Format;
  },
  { kind, channel, detail }: Contact,
): string {
  const day = (text: string | null | undefined) => (text ? format.date(text) : "");
  const values = {
    amount: detail.amount ? format.money(detail.amount, detail.currency ?? "") : "",
    reason: [describeGoodwillReason(tOfActs, detail.reason ?? ""), detail.text]
      .filter(Boolean)
      .join(": "),
  };
  switch (kind) {
    case "reminder":
      return t(`contacts.${channel ?? "link"}`);
    case "note":
      return detail.text ?? "";
    case "promise":
      return detail.promised_for
        ? t("contacts.promise", { day: day(detail.promised_for) })
        : t("contacts.noPromise");
    case "snooze":
      return detail.snoozed_until
        ? t("contacts.snooze", { day: day(detail.snoozed_until) })
        : t("contacts.awake");
    case "assign":
      return detail.assigned_to
        ? t("contacts.assign", { name: detail.assigned_name ?? "" })
        : t("contacts.unassign");
    case "courtesy":
      return t(`contacts.${detail.owed ?? "goodwill"}`, {
        before: day(detail.before),
        after: day(detail.after),
        ...values,
      });
    case "waive":
      return t("contacts.waive", values);
    case "leave":
      return t("contacts.leave", {
        reason:
          [detail.reason && describeLeaveReason(tOfLeaving, detail.reason), detail.text]
            .filter(Boolean)
            .join(": ") || tOfLeaving("notSaid"),
      });
    case "says_paid":
      return t("contacts.saysPaid", { ...values, day: day(detail.received_on) });
    case "paid_checked":
      return t(detail.found ? "contacts.paidFound" : "contacts.paidNotFound", values);
  }
}
