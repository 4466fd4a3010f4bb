import { useTranslations } from "next-intl";
import { CalendarOff, Plus } from "#components/ui/icons.tsx";
import type { BillingPeriod, Offer, Product } from "#contract/products.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { ScopedLink, useFormat, usePermission } from "#components/context/seller-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { intervalWords, isOnSale } from "#lib/products/rules.ts";
import { AmountLine } from "#components/ui/detail-row.tsx";
import { calculatePrice } from "#lib/money/price.ts";
import { isOfferActive } from "#contract/amount.ts";
import { Day } from "#components/values/day.tsx";

interface ProductPlansProps {
  product: Product;
  /** The day by the service's clock, YYYY-MM-DD. */
  today: string;
}

export function ProductPlans({ product, today }: ProductPlansProps) {
  const t = useTranslations("products");
  if (product.plan.length === 0) {
    return (
      <Card>
        <StatePanel
          icon={CalendarOff}
          title={t("plans.noneTitle")}
          text={t("plans.noneText")}
        />
      </Card>
    );
  }
  return (
    <div className="grid min-w-0 gap-4">
      {product.plan.map((plan) => (
        <Card key={plan.plan_id}>
          <div className="p-4 sm:px-5">
            <CardTitle>{plan.plan_name || t("plans.unnamed")}</CardTitle>
            {plan.description && <p className="mt-0.5 text-muted">{plan.description}</p>}
          </div>
          {plan.billing_periods.length === 0 && (
            <p className="border-t px-4 py-3 text-muted sm:px-5">{t("plans.noPeriod")}</p>
          )}
          <ul className="divide-y border-t empty:hidden">
            {plan.billing_periods.map((period) => (
              <PlanPeriod key={period.pbp_id} {...{ product, period, today }} />
            ))}
          </ul>
        </Card>
      ))}
    </div>
  );
}

interface PlanPeriodProps {
  product: Product;
  period: BillingPeriod;
  /** The day by the service's clock, YYYY-MM-DD. */
  today: string;
}

function PlanPeriod({ product, period, today }: PlanPeriodProps) {
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
        {interval && interval !== name.toLowerCase() && (
          <span className="text-muted">{interval}</span>
        )}
        <Marks period={period} />
      </div>
      <div className="mt-2 grid gap-x-8 gap-y-3 md:grid-cols-2 lg:max-xl:grid-cols-1">
        <PeriodPrice vat={product.vat} {...{ period, today }} />
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
      {is_current && <Badge tone="active">{t("current")}</Badge>}
      {is_limited && <Badge tone="ending">{t("limited")}</Badge>}
      {is_archived && <Badge tone="inactive">{t("archived")}</Badge>}
    </>
  );
}

interface PeriodPriceProps {
  vat: Product["vat"];
  period: Pick<BillingPeriod, "price" | "currency" | "offers">;
  today: string;
}

/** Today's price, line by line; the raw price if it cannot be parsed. */
export function PeriodPrice({ vat, period, today }: PeriodPriceProps) {
  const t = useTranslations("products.price");
  const format = useFormat();
  const money = (amount: string) => format.money(amount, period.currency);
  const parts = calculatePrice(period, vat, today);
  const percentage = vat.vat_percentage;
  return (
    <dl className="grid content-start gap-1 text-sm">
      <AmountLine label={t("price")} amount={period.price ? money(period.price) : t("none")} />
      {parts?.discount && (
        <AmountLine label={t("offer")} amount={`− ${money(parts.discount)}`} />
      )}
      {parts?.vat && !parts.vat_is_included && (
        <AmountLine label={t("vat", { percentage })} amount={`+ ${money(parts.vat)}`} />
      )}
      {parts && (
        <div className="flex justify-between gap-3 border-t pt-1 font-medium">
          <dt>{t("toPay")}</dt>
          <dd className="whitespace-nowrap tabular-nums">{money(parts.total)}</dd>
        </div>
      )}
      {parts?.vat && parts.vat_is_included && (
        <AmountLine label={t("vatIncluded", { percentage })} amount={money(parts.vat)} />
      )}
    </dl>
  );
}

interface PeriodOffersProps {
  offers: Offer[];
  currency: string;
  today: string;
}

function PeriodOffers({ offers, currency, today }: PeriodOffersProps) {
  const t = useTranslations("products.offers");
  const format = useFormat();
  if (offers.length === 0) return <p className="text-sm text-muted">{t("none")}</p>;
  return (
    <ul aria-label={t("label")} className="grid content-start gap-1 text-sm">
      {offers.map((offer) => (
        <li key={offer.id} className="flex justify-between gap-3">
          <span>
            {t.rich("offer", {
              amount: format.money(String(offer.discount_amount), currency),
              strong: (chunks) => <span className="tabular-nums">{chunks}</span>,
              from: () => <Day iso={offer.starts_at} />,
              until: () => <Day iso={offer.valid_until} />,
            })}
          </span>
          <span className={isOfferActive(offer, today) ? "text-active" : "text-muted"}>
            {t(offerStatus(offer, today))}
          </span>
        </li>
      ))}
    </ul>
  );
}

function offerStatus(offer: Offer, today: string) {
  if (isOfferActive(offer, today)) return "holds";
  if (!offer.is_active) return "off";
  if (today < offer.starts_at) return "notBegun";
  return today > offer.valid_until ? "over" : "unclear";
}
