import { useTranslations } from "next-intl";
import type { BillingPeriod, Product } from "#contract/products.ts";
import { useFormat } from "#components/values/use-format.ts";
import { AmountLine } from "#components/ui/charts/amount-line.tsx";
import { calculatePrice } from "#lib/money/price.ts";

interface PeriodPriceProps {
  product: Product;
  period: BillingPeriod;
  today: string;
}

/** Today's price, line by line; the raw price if it cannot be parsed. */
export function PeriodPrice({ product, period, today }: PeriodPriceProps) {
  const t = useTranslations("products.price");
  const format = useFormat();
  const money = (amount: string) => format.money(amount, period.currency);
  const parts = calculatePrice(period, product.vat, today);
  const percentage = product.vat.vat_percentage;
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
