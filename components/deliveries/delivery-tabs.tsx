"use client";

import { ShieldQuestionMark } from "lucide-react";
import { useTranslations } from "next-intl";
import { usePathname } from "next/navigation";
import { PageSwitch } from "#components/shell/page-switch.tsx";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { examinePath } from "#lib/deliveries/examine/search.ts";

const SENT = "/settings/webhooks/deliveries";
const RECEIVED = "/settings/webhooks/deliveries/received";

/** Switches between sent and received deliveries, and leads to the examination of a pasted one. */
export function DeliveryTabs() {
  const t = useTranslations("deliveries.tabs");
  const isReceived = usePathname().endsWith("/received");
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
      <PageSwitch
        label={t("label")}
        pages={[
          { href: SENT, label: t("sent"), isCurrent: !isReceived },
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
