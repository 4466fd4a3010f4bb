"use client";

import { useTranslations } from "next-intl";
import { usePermission, useScopedPath } from "#components/context/seller-context.tsx";
import { PageSwitch } from "#components/shell/page-header.tsx";
import {
  CHANNELS_PAGE,
  OPT_OUTS_PAGE,
  REMINDERS_PAGE,
  SENT_MESSAGES,
} from "#lib/messages/sending/search.ts";

const TEXTS = "/settings/messages";

/** The pages about messages that this person may open. */
export function MessagePages() {
  const t = useTranslations("sending");
  const path = useScopedPath();
  const mayWriteTexts = usePermission("seller:write");
  const mayReadChannels = usePermission("connection:read");
  const mayReadCustomers = usePermission("customers:read");
  const page = (href: string, label: string) => ({ href, label, isCurrent: path === href });
  return (
    <div className="mb-4">
      <PageSwitch
        label={t("pages")}
        pages={[
          ...(mayWriteTexts ? [page(TEXTS, t("texts"))] : []),
          ...(mayReadChannels ? [page(CHANNELS_PAGE, t("channels"))] : []),
          ...(mayReadChannels ? [page(REMINDERS_PAGE, t("reminders"))] : []),
          page(SENT_MESSAGES, t("sent")),
          ...(mayReadCustomers ? [page(OPT_OUTS_PAGE, t("optOuts"))] : []),
        ]}
      />
    </div>
  );
}
