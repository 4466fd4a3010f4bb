import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { AccountBillPage } from "#contract/payments.ts";
import type { BillKind } from "#contract/names.ts";
import { PageLink } from "#components/context/seller-context.tsx";
import { PaymentTable } from "#components/payments/payment-table.tsx";
import { Card } from "#components/ui/card.tsx";
import { BikramSambat } from "#components/values/bikram-sambat.tsx";
import { calendarDay, type Format } from "#lib/format/format.ts";
import { billPath } from "#lib/payments/queries.ts";
import { paymentsPath } from "#lib/payments/search.ts";
import { scopePath, type Scope } from "#lib/scope.ts";

const COLUMNS = ["number", "when", "buyer", "payment", "vat", "amount", "file"] as const;
type Column = (typeof COLUMNS)[number];
type Bill = AccountBillPage["results"][number];

interface BillRowsProps {
  scope: Scope;
  bills: Bill[];
  format: Format;
  /** The seller's time zone, which decides a bill's day. */
  time_zone: string;
}

export function BillRows({ bills, ...place }: BillRowsProps) {
  const t = useTranslations("bills.list");
  return (
    <PaymentTable
      label={t("title")}
      columns={COLUMNS.map((name) => [name, t(`columns.${name}`)])}
    >
      {bills.map((bill) => (
        <BillRow key={bill.id} bill={bill} {...place} />
      ))}
    </PaymentTable>
  );
}

/** The reference on a payment's receipt, by which the list of payments finds it. */
const referenceOf = (paymentId: string) => paymentId.slice(0, 8).toUpperCase();

function BillRow({
  scope,
  bill,
  format,
  time_zone,
}: { bill: Bill } & Omit<BillRowsProps, "bills">) {
  const t = useTranslations("bills.list");
  const tOfBook = useTranslations("statement.book");
  const { id, kind, number, corrects, buyer, buyer_pan, payment_id, currency } = bill;
  const day = calendarDay(bill.issued_at, time_zone);
  const reference = referenceOf(payment_id);
  return (
    <tr role="row">
      <Cell column="number">
        <span>
          <span className="font-medium wrap-anywhere">{number}</span>
          <small className="block text-muted">{tOfBook(`kinds.${kind as BillKind}`)}</small>
          {corrects !== null && (
            <small className="block text-muted">{t("corrects", { number: corrects })}</small>
          )}
        </span>
      </Cell>
      <Cell column="when">
        <time
          dateTime={bill.issued_at}
          title={`${format.dateTime(bill.issued_at)} (${time_zone})`}
        >
          {format.date(bill.issued_at)} {day && <BikramSambat day={day} />}
        </time>
      </Cell>
      <Cell column="buyer">
        <span>
          <PageLink
            href={scopePath(
              scope,
              `/subscriptions/${encodeURIComponent(bill.subscription_id)}`,
            )}
          >
            {buyer}
          </PageLink>
          {buyer_pan !== null && (
            <small className="block text-muted">{t("pan", { pan: buyer_pan })}</small>
          )}
        </span>
      </Cell>
      <Cell column="payment">
        <PageLink href={paymentsPath(scope, { q: reference })}>{reference}</PageLink>
      </Cell>
      <Cell column="vat">
        {bill.vat === null ? (
          <span className="text-muted">–</span>
        ) : (
          format.money(bill.vat, currency)
        )}
      </Cell>
      <Cell column="amount">{format.money(bill.amount, currency)}</Cell>
      <Cell column="file">
        <a href={billPath(scope, id)} download aria-label={t("pdfOf", { number })}>
          {t("pdf")}
        </a>
      </Cell>
    </tr>
  );
}

function Cell({ column, children }: { column: Column; children: ReactNode }) {
  const label = useTranslations("bills.list.columns")(column);
  return (
    <td role="cell" data-col={column} data-label={label}>
      {children}
    </td>
  );
}

interface BillTotalsProps {
  totals: NonNullable<AccountBillPage["totals"]>;
  format: Format;
}

/** The sums of all matching bills, by kind and currency. */
export function BillTotals({ totals, format }: BillTotalsProps) {
  const t = useTranslations("bills.list");
  const tOfBook = useTranslations("statement.book");
  if (totals.length === 0) return null;
  return (
    <section aria-label={t("totals")} className="mb-4">
      <Card className="px-4 py-3">
        <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {totals.map(({ kind, currency, bills, amount, vat }) => (
            <div key={`${kind} ${currency}`} className="min-w-0">
              <dt className="text-sm text-muted">
                {t("counted", { kind: tOfBook(`kinds.${kind as BillKind}`), count: bills })}
              </dt>
              <dd className="text-lg font-semibold wrap-anywhere tabular-nums">
                {format.money(amount, currency)}
              </dd>
              {vat !== "0.00" && (
                <dd className="text-sm text-muted tabular-nums">
                  {t("vatInside", { vat: format.money(vat, currency) })}
                </dd>
              )}
            </div>
          ))}
        </dl>
      </Card>
    </section>
  );
}
