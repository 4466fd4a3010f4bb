import { useTranslations } from "next-intl";
import type { Subscription } from "#contract/subscriptions.ts";
import { DetailRow } from "#components/ui/detail-row.tsx";

type Client = Subscription["client"];

interface ContactRowsProps {
  contact: NonNullable<Client["shipping"]>;
  /** Whether only name and phone are known yet. */
  isOpening?: boolean;
}

/** The contact details of the buyer or the recipient. Inside a `dl`. */
export function ContactRows({ contact, isOpening = false }: ContactRowsProps) {
  const t = useTranslations("layout.contact");
  const known = (text: string) =>
    isOpening ? (
      <span aria-busy className="skeleton inline-block h-4 w-40 align-middle" />
    ) : (
      text
    );
  return (
    <>
      <DetailRow label={t("name")}>{contact.full_name}</DetailRow>
      <DetailRow label={t("phone")}>{contact.phone}</DetailRow>
      <DetailRow label={t("email")}>{known(contact.email)}</DetailRow>
      <DetailRow label={t("address")}>{known(contact.address)}</DetailRow>
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
