import { useTranslations } from "next-intl";
import { useFormat } from "#components/context/seller-context.tsx";
import { cn } from "#lib/cn.ts";
import { describeGoodwillReason } from "#lib/money/goodwill-reasons.ts";
import type { Contact } from "#lib/collection/rules.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { Format } from "#lib/format/format.ts";

/** The buyer's contacts, newest first; undone ones are struck through. */
export function ContactList({ contacts }: { contacts: Contact[] | undefined }) {
  const t = useTranslations("collection");
  const tOfActs = useTranslations("audit");
  const format = useFormat();
  return (
    <section aria-labelledby="desk-contacts-title">
      <h3 id="desk-contacts-title" className="font-semibold">
        {t("contacts.title")}
      </h3>
      {contacts === undefined ? (
        <span aria-busy className="skeleton mt-2 h-5 w-2/3" />
      ) : contacts.length === 0 ? (
        <p className="mt-1 text-muted">{t("contacts.none")}</p>
      ) : (
        <ol className="mt-2 grid gap-2">
          {contacts.map((contact) => (
            <li key={contact.id} className="grid gap-x-4 sm:grid-cols-[10.5rem_minmax(0,1fr)]">
              <time dateTime={contact.at} className="text-sm text-muted tabular-nums">
                {format.dateTime(contact.at)}
              </time>
              <p className={cn("min-w-0", contact.undone_at && "text-muted line-through")}>
                {describeContact({ t, tOfActs, format }, contact)}
                <span className="text-muted"> · {contact.person_name}</span>
                {contact.undone_at && (
                  <span className="sr-only"> ({t("contacts.undone")})</span>
                )}
              </p>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** Describes a contact, such as "Opened in WhatsApp" or "Promised to pay on 3 Dec 2026". */
function describeContact(
  {
    t,
    tOfActs,
    format,
  }: { t: Translate<"collection">; tOfActs: Translate<"audit">; format: Format },
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
  }
}
