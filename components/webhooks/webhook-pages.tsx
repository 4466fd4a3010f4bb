"use client";

import { useTranslations } from "next-intl";
import { usePathname } from "next/navigation";
import { PageSwitch } from "#components/shell/page-header.tsx";
import { ScopedLink, useScopedPath } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { ShieldQuestionMark } from "#components/ui/icons.tsx";
import { examinePath } from "#lib/deliveries/search.ts";

const ENDPOINTS = "/settings/webhooks";
const DELIVERIES = "/settings/webhooks/deliveries";

export function WebhookPages() {
  const t = useTranslations("webhooks");
  const path = useScopedPath();
  return (
    <div className="mb-4">
      <PageSwitch
        label={t("title")}
        pages={[
          { href: ENDPOINTS, label: t("endpoints"), isCurrent: path === ENDPOINTS },
          { href: DELIVERIES, label: t("deliveries"), isCurrent: path.startsWith(DELIVERIES) },
        ]}
      />
    </div>
  );
}

const RECEIVED = `${DELIVERIES}/received`;

/** The tabs of sent and received deliveries, with a link to the signature check. */
export function DeliveryTabs() {
  const t = useTranslations("deliveries.tabs");
  const isReceived = usePathname().endsWith("/received");
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
      <PageSwitch
        label={t("label")}
        pages={[
          { href: DELIVERIES, label: t("sent"), isCurrent: !isReceived },
          { href: RECEIVED, label: t("received"), isCurrent: isReceived },
        ]}
      />
      <ScopedLink href={examinePath()} className={buttonClass()}>
        <ShieldQuestionMark aria-hidden className="size-4" />
        {t("examine")}
      </ScopedLink>
    </div>
  );
}
