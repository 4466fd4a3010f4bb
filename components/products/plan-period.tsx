"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import type { BillingPeriod, Product } from "#contract/products.ts";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { usePermission } from "#components/context/seller-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { intervalWords, isOnSale } from "#lib/products/rules.ts";
import { PeriodOffers } from "./period-offers.tsx";
import { PeriodPrice } from "./period-price.tsx";

interface PlanPeriodProps {
  product: Product;
  period: BillingPeriod;
  /** By the service's clock, YYYY-MM-DD. */
  today: string;
}

export function PlanPeriod({ product, period, today }: PlanPeriodProps) {
  const t = useTranslations("products.period");
  const format = useTranslations("format");
  const { pbp_id, label, interval_type, interval_count } = period;
  const interval = interval_type && interval_count > 0 ? intervalWords(format, period) : "";
  const mayCreate = usePermission("subscriptions:create");
  const name = label || interval || pbp_id;
  return (
    <li className="p-4 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="font-medium">{name}</h3>
        {interval && interval !== name && <span className="text-muted">{interval}</span>}
        <Marks period={period} />
      </div>
      <div className="mt-2 grid gap-x-8 gap-y-3 md:grid-cols-2 lg:max-xl:grid-cols-1">
        <PeriodPrice {...{ product, period, today }} />
        <PeriodOffers offers={period.offers} currency={period.currency} today={today} />
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <span
          className="flex min-w-0 items-center max-md:-my-1 max-md:w-full"
          title={t("copy")}
        >
          <code className="min-w-0 font-mono text-xs break-all text-muted">{pbp_id}</code>
          <CopyButton text={pbp_id} label={t("copy")} look="quiet" isCompact />
        </span>
        {mayCreate && isOnSale(product, period) && (
          <ScopedLink
            href={`/subscriptions/new?pbp_id=${encodeURIComponent(pbp_id)}`}
            prefetch={false}
            aria-label={t("createOf", { name })}
            className={buttonClass("secondary", "max-md:w-full md:ml-auto md:h-9")}
          >
            <Plus aria-hidden className="size-4" />
            {t("create")}
          </ScopedLink>
        )}
      </div>
    </li>
  );
}

function Marks({ period: { is_current, is_limited, is_archived } }: { period: BillingPeriod }) {
  const t = useTranslations("products.period");
  return (
    <>
      {is_current && <Badge className="bg-active-soft text-active">{t("current")}</Badge>}
      {is_limited && <Badge className="bg-ending-soft text-ending">{t("limited")}</Badge>}
      {is_archived && <Badge className="bg-inactive-soft text-inactive">{t("archived")}</Badge>}
    </>
  );
}
