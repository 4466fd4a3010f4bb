import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { AmountLine } from "#components/ui/charts/amount-line.tsx";
import { calculatePrice } from "#lib/money/price.ts";
import { intervalWords, type Choice } from "#lib/products/rules.ts";

/** Today's price for the buyer, line by line. */
export function PriceBreakdown({ choice, today }: { choice: Choice; today: string }) {
  const { product, plan, period } = choice;
  const t = useTranslations("create.price");
  const inFormat = useTranslations("format");
  const format = useFormat();
  const money = (amount: string) => format.money(amount, period.currency);
  const parts = calculatePrice(period, product.vat, today);
  const percentage = product.vat.vat_percentage;
  return (
    <div>
      <p className="font-medium">{product.name}</p>
      <p className="text-muted">{[plan.plan_name, period.label].filter(Boolean).join(" · ")}</p>
      <dl className="mt-3 grid gap-1.5 text-sm">
        <AmountLine label={t("price")} amount={money(period.price)} />
        {parts?.discount && (
          <AmountLine label={t("offer")} amount={`− ${money(parts.discount)}`} />
        )}
        {parts?.vat && !parts.vat_is_included && (
          <AmountLine label={t("vat", { percentage })} amount={`+ ${money(parts.vat)}`} />
        )}
      </dl>
      <div className="mt-3 flex items-baseline justify-between gap-3 border-t pt-3">
        <span className="font-medium">
          {t("toPay", { interval: intervalWords(inFormat, period) })}
        </span>
        <span className="text-lg font-semibold whitespace-nowrap tabular-nums">
          {money(parts?.total ?? period.price)}
        </span>
      </div>
      {parts?.vat && parts.vat_is_included && (
        <p className="mt-1 text-right text-xs text-muted tabular-nums">
          {t("vatIncluded", { amount: money(parts.vat), percentage })}
        </p>
      )}
      <p className="mt-3 text-xs text-muted">{t("note")}</p>
    </div>
  );
}
