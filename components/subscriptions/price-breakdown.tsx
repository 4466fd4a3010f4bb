import { formatMoney } from "#lib/format.ts";
import { intervalWords, workOutPrice, type Choice } from "#lib/products/rules.ts";

/** What the buyer will be asked for today, worked out line by line. */
export function PriceBreakdown({ choice, today }: { choice: Choice; today: string }) {
  const { product, plan, period } = choice;
  const money = (amount: string) => formatMoney(amount, period.currency);
  const parts = workOutPrice(period, product.vat, today);
  return (
    <div>
      <p className="font-medium">{product.name}</p>
      <p className="text-muted">{[plan.plan_name, period.label].filter(Boolean).join(" · ")}</p>
      <dl className="mt-3 grid gap-1.5 text-sm">
        <Line label="Price" amount={money(period.price)} />
        {parts?.discount && <Line label="Offer today" amount={`− ${money(parts.discount)}`} />}
        {parts?.vat && !parts.vat.is_included && (
          <Line
            label={`VAT ${parts.vat.percentage} %`}
            amount={`+ ${money(parts.vat.amount)}`}
          />
        )}
      </dl>
      <div className="mt-3 flex items-baseline justify-between gap-3 border-t pt-3">
        <span className="font-medium">To pay, {intervalWords(period)}</span>
        <span className="text-lg font-semibold whitespace-nowrap tabular-nums">
          {money(parts?.total ?? period.price)}
        </span>
      </div>
      {parts?.vat?.is_included && (
        <p className="mt-1 text-right text-xs text-muted tabular-nums">
          Includes {money(parts.vat.amount)} VAT ({parts.vat.percentage} %)
        </p>
      )}
      <p className="mt-3 text-xs text-muted">
        Worked out here from today's offers; the checkout shows the amount that counts.
      </p>
    </div>
  );
}

function Line({ label, amount }: { label: string; amount: string }) {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className="whitespace-nowrap tabular-nums">{amount}</dd>
    </div>
  );
}
