import { Mail, MessageCircle, MessageSquareText, Phone, type LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { Customer } from "#contract/customers.ts";
import { Day } from "#components/values/day.tsx";
import { useSeller } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { DetailRow } from "#components/ui/detail-row.tsx";
import { contactsOf, type CustomerContact } from "#lib/customers/rules.ts";

const ICONS: Record<CustomerContact["kind"], LucideIcon> = {
  call: Phone,
  whatsapp: MessageCircle,
  viber: MessageCircle,
  sms: MessageSquareText,
  email: Mail,
};

export function CustomerDetails({ customer }: { customer: Customer }) {
  const t = useTranslations("customers.details");
  const { id, full_name, buyer_phone, buyer_email, created_at } = customer;
  return (
    <Card aria-labelledby="details-title" className="min-w-0 p-4">
      <CardTitle id="details-title">{t("title")}</CardTitle>
      <Contacts customer={customer} />
      <dl className="mt-4 grid gap-2 [--label:5.5rem]">
        <Copied label={t("name")} value={full_name} />
        <Copied label={t("phone")} value={buyer_phone} />
        <Copied label={t("email")} value={buyer_email} />
        <DetailRow label={t("since")}>{created_at && <Day iso={created_at} />}</DetailRow>
        <DetailRow label={t("id")}>
          <span className="font-mono text-xs">{id}</span>
        </DetailRow>
      </dl>
    </Card>
  );
}

/** Links open the user's own apps; Duebook sends nothing. */
function Contacts({ customer }: { customer: Customer }) {
  const t = useTranslations("customers");
  const contacts = contactsOf(customer, useSeller().time_zone);
  if (contacts.length === 0) return null;
  return (
    <ul aria-label={t("contacts.label")} className="mt-3 flex flex-wrap gap-1.5">
      {contacts.map(({ kind, href }) => {
        const Icon = ICONS[kind];
        return (
          <li key={kind} className="flex-[1_1_5rem]">
            <a
              href={href}
              {...(kind === "whatsapp" && { target: "_blank", rel: "noreferrer" })}
              className="flex h-13 flex-col items-center justify-center gap-1 rounded border bg-surface text-xs font-medium shadow-card transition-colors hover:bg-sunken"
            >
              <Icon aria-hidden className="size-4 text-accent" />
              {t(`contacts.${kind}`)}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function Copied({ label, value }: { label: string; value: string }) {
  const t = useTranslations("customers.details");
  return (
    <DetailRow
      label={label}
      action={
        value && (
          <span className="-my-2 -mr-2 flex shrink-0 flex-col items-end max-md:-my-3">
            <CopyButton
              text={value}
              label={t("copy")}
              what={label.toLowerCase()}
              isCompact
              look="quiet"
            />
          </span>
        )
      }
    >
      {value}
    </DetailRow>
  );
}
