"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ComponentProps, ReactNode } from "react";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { Tour } from "#components/guide/tour.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { SubscriptionSummary } from "#components/subscriptions/subscription-summary.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Plus, TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { moneyTasksQuery } from "#lib/collection/by-hand/queries.ts";
import { MONEY_TO_CHECK } from "#lib/payments/tasks/rules.ts";
import { FailingEndpoints } from "./failing-endpoints.tsx";

interface OverviewProps {
  tour: ComponentProps<typeof Tour>;
  failures: NonNullable<ComponentProps<typeof SubscriptionSummary>["failures"]>;
  /** The steps to go live, while there is no subscription. */
  before: ReactNode;
  /** The same steps once there is a subscription. */
  after: ReactNode;
}

/** The overview's content, and its placeholder: one module, so that both load the same scripts. */
export function Overview({ tour, failures, before, after }: OverviewProps) {
  return (
    <>
      <OverviewHeader />
      <Tour key={String(tour.isAsked)} {...tour} />
      {before}
      <FailingEndpoints />
      <MoneyToCheckNotice />
      <SubscriptionSummary failures={failures} />
      {after}
    </>
  );
}

export function OverviewPlaceholder() {
  return (
    <>
      <OverviewHeader />
      <SubscriptionSummary isPlaceholder />
    </>
  );
}

function OverviewHeader() {
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

/** The number of decisions about money that wait for a member; renders nothing without any. */
function MoneyToCheckNotice() {
  const t = useTranslations("moneyToCheck.overview");
  const mayRead = usePermission("payments:read");
  const { data } = useQuery({ ...moneyTasksQuery(useScope()), enabled: mayRead });
  if (!data?.to_check) return null;
  return (
    <Notice look="warning" icon={TriangleAlert} role="status" className="my-4">
      <p className="font-medium">{t("title", { count: data.to_check })}</p>
      <ScopedLink
        href={MONEY_TO_CHECK}
        className="mt-1 inline-flex items-center rounded font-medium underline underline-offset-2 max-md:min-h-11"
      >
        {t("see")}
      </ScopedLink>
    </Notice>
  );
}
