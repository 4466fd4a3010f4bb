"use client";

import { useTranslations } from "next-intl";
import { PageHeader } from "#components/shell/page-header.tsx";
import { ScopedLink, usePermission } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Plus } from "#components/ui/icons.tsx";

export function OverviewHeader() {
  const t = useTranslations("overview");
  const mayCreate = usePermission("subscriptions:create");
  return (
    <PageHeader
      title={t("title")}
      action={
        mayCreate && (
          <ScopedLink
            href="/subscriptions/new"
            className={buttonClass("primary", "max-md:hidden")}
          >
            <Plus aria-hidden className="size-4" />
            {t("newSubscription")}
          </ScopedLink>
        )
      }
    />
  );
}
