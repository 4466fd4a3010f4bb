import { useTranslations } from "next-intl";
import type { Subscription } from "#contract/subscriptions.ts";
import { DetailRow } from "#components/ui/detail-row.tsx";

type Client = Subscription["client"];

/** The contact details of the buyer or the recipient. Inside a `dl`. */
export function ContactRows({ contact }: { contact: NonNullable<Client["shipping"]> }) {
  const t = useTranslations("layout.contact");
  return (
    <>
      <DetailRow label={t("name")}>{contact.full_name}</DetailRow>
      <DetailRow label={t("phone")}>{contact.phone}</DetailRow>
      <DetailRow label={t("email")}>{contact.email}</DetailRow>
      <DetailRow label={t("address")}>{contact.address}</DetailRow>
    </>
  );
}

/** The business on the bill. Inside a `dl`. */
export function BusinessRows({ business }: { business: NonNullable<Client["billing"]> }) {
  const t = useTranslations("layout.contact");
  return (
    <>
      <DetailRow label={t("business")}>{business.business_name}</DetailRow>
      <DetailRow label={t("taxNumber")}>{business.pan_vat}</DetailRow>
      <DetailRow label={t("email")}>{business.email}</DetailRow>
      <DetailRow label={t("address")}>{business.address}</DetailRow>
    </>
  );
}
