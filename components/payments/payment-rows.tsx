"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useTransition } from "react";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { ArrowUp } from "#components/ui/icons.tsx";
import { RawJsonButton } from "#components/list/raw-json.tsx";
import { Moment } from "#components/values/day.tsx";
import { PaidDetails } from "#components/values/paid-details.tsx";
import {
  ScopedLink,
  useFormat,
  usePermission,
  useScope,
} from "#components/context/seller-context.tsx";
import { type ListedPayment, newPaymentsQuery } from "#lib/payments/queries.ts";
import type { GivenBack } from "#lib/money/payable.ts";
import { paidAmount } from "#lib/payments/rules.ts";
import { Card } from "#components/ui/card.tsx";
import { Button } from "#components/ui/button.tsx";
import { PaymentTable } from "./payment-table.tsx";
import type { PaymentSearch } from "#lib/payments/search.ts";

const COLUMNS = ["when", "buyer", "product", "amount", "fee", "net", "proof"] as const;
type Column = (typeof COLUMNS)[number];

export function PaymentRows({ payments }: { payments: ListedPayment[] }) {
  const t = useTranslations("payments");
  return (
    <PaymentTable
      label={t("title")}
      columns={COLUMNS.map((name) => [name, t(`columns.${name}`)])}
    >
      {payments.map((payment) => (
        <PaymentRow key={payment.id} payment={payment} />
      ))}
    </PaymentTable>
  );
}

function PaymentRow({ payment }: { payment: ListedPayment }) {
  const t = useTranslations("payments");
  const format = useFormat();
  const { id, at, buyer, product_name, fee, net, currency, known_by } = payment;
  const paid = paidAmount(payment);
  const money = (text: string | null) =>
    text === null ? null : format.money(text, currency ?? "");
  return (
    <tr role="row">
      <Cell column="when">
        <Moment iso={at} />
      </Cell>
      <Cell column="buyer">
        <ScopedLink href={`/subscriptions/${encodeURIComponent(payment.subscription_id)}`}>
          {buyer ?? payment.subscription_id}
        </ScopedLink>
      </Cell>
      <Cell column="product">{product_name ?? t("unknownProduct")}</Cell>
      <Cell column="amount">
        <span>
          {paid ? (
            format.toPay(paid)
          ) : (
            <span className="text-muted">{t("knownBy.unknown")}</span>
          )}
          {known_by === "later" && <small>{t("knownBy.later")}</small>}
          <PaidDetails payment={payment} />
        </span>
      </Cell>
      <Cell column="fee">{money(fee) ?? <None />}</Cell>
      <Cell column="net">{money(net) ?? <None />}</Cell>
      <Cell column="proof">
        <span>
          <span>{t("number", { id })}</span>
          {payment.reference && (
            <>
              <small data-reference="">
                {t("reference", { reference: payment.reference })}
              </small>
              <RawJsonButton
                kind="payment"
                id={payment.reference}
                subscription_id={payment.subscription_id}
              />
            </>
          )}
          {payment.received_delivery_id === null && <small>{t("confirmed")}</small>}
          {payment.delivery_id && (
            <ScopedLink href={`/settings/webhooks/deliveries?${deliveriesOf(payment)}`}>
              {payment.delivery_id}
            </ScopedLink>
          )}
        </span>
      </Cell>
    </tr>
  );
}

/** The query string that finds the deliveries of the subscription's payments in the service's log. */
const deliveriesOf = ({ subscription_id }: ListedPayment) =>
  new URLSearchParams({
    event: "checkout.succeeded",
    subscription: subscription_id,
  }).toString();

const None = () => <span className="text-muted">–</span>;

function Cell({ column, children }: { column: Column; children: ReactNode }) {
  const label = useTranslations("payments.columns")(column);
  return (
    <td role="cell" data-col={column} data-label={label}>
      {children}
    </td>
  );
}

/** Links to the monthly statement, for members who may see sums. */
export function StatementLink() {
  const t = useTranslations("payments");
  const maySee = usePermission("reports:read");
  return (
    maySee && (
      <ScopedLink
        href="/payments/statement"
        className="rounded text-accent underline underline-offset-2"
      >
        {t("statement")}
      </ScopedLink>
    )
  );
}

export interface TotalsByCurrency {
  totals: {
    currency: string;
    count: number;
    amount: string;
    fee: string;
    net: string;
    given_back?: GivenBack;
  }[];
  unknown: number;
}

/** Totals of all matching payments, by currency. */
export function PaymentTotals({ totals, unknown }: TotalsByCurrency) {
  const t = useTranslations("payments.totals");
  const format = useFormat();
  return (
    <section aria-label={t("label")} className="mb-4 grid gap-2">
      {totals.map(({ currency, count, amount, fee, net, given_back: back }) => (
        <Card key={currency} className="px-4 py-3">
          <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
            <Total label={t("payments")} value={format.count(count)} />
            <Total label={t("amount")} value={format.money(amount, currency)} />
            <Total label={t("fee")} value={format.money(fee, currency)} />
            <Total label={t("net")} value={format.money(net, currency)} />
            {back && (
              <>
                <Total label={t("refunded")} value={format.money(back.refunded, currency)} />
                <Total label={t("reversed")} value={format.money(back.reversed, currency)} />
                <Total label={t("left")} value={format.money(back.left, currency)} />
              </>
            )}
          </dl>
        </Card>
      ))}
      {unknown > 0 && <p className="text-sm text-muted">{t("unknown", { count: unknown })}</p>}
    </section>
  );
}

function Total({ label, value }: { label: string; value: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="text-lg font-semibold wrap-anywhere tabular-nums">{value}</dd>
    </div>
  );
}

interface NewPaymentsProps {
  /** Whether the list is empty, so that no row could move. */
  isEmpty: boolean;
  search: PaymentSearch;
  /** The highest payment number when the page was read; 0 for none. */
  newest: string;
}

/**
 * A button that shows new payments, so that no row moves while the user reads; the first one of an
 * empty list is shown at once.
 */
export function NewPayments({ isEmpty, search, newest }: NewPaymentsProps) {
  const t = useTranslations("live.held");
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const { data } = useQuery(newPaymentsQuery(useScope(), search, newest));
  const count = data?.count ?? 0;
  const isShownAtOnce = isEmpty && count > 0;
  useEffect(() => {
    if (isShownAtOnce) startTransition(() => router.refresh());
  }, [isShownAtOnce, router]);
  return (
    <div role="status" className="empty:sr-only">
      {count > 0 && (
        <div className="mb-2 flex justify-center">
          <Button isPending={isPending} onClick={() => startTransition(() => router.refresh())}>
            <ArrowUp aria-hidden className="size-4" />
            {t("new", { count })}
          </Button>
        </div>
      )}
    </div>
  );
}
