"use client";

import { useTranslations } from "next-intl";
import { usePathname } from "next/navigation";
import { PageSwitch } from "#components/shell/page-switch.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { scopePath } from "#lib/scope.ts";

const ENDPOINTS = "/settings/webhooks";
const DELIVERIES = "/settings/webhooks/deliveries";

export function WebhookPages() {
  const t = useTranslations("webhooks");
  const path = usePathname().slice(scopePath(useScope()).length);
  return (
    <div className="mb-4">
      <PageSwitch
        label={t("title")}
        pages={[
          { href: ENDPOINTS, label: t("endpoints"), isCurrent: path === ENDPOINTS },
          {
            href: DELIVERIES,
            label: t("deliveries"),
            isCurrent: path.startsWith(DELIVERIES),
          },
        ]}
      />
    </div>
  );
}
