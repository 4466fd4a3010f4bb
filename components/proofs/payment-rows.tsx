"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Moment } from "#components/layout/moment.tsx";
import { ScopedLink } from "#components/layout/scoped-link.tsx";
import { useFormat } from "#components/layout/use-format.ts";
import { cn } from "#lib/cn.ts";
import type { ListedProof } from "#lib/proofs/queries.ts";

const COLUMNS = ["when", "buyer", "product", "amount", "fee", "net", "proof"] as const;
type Column = (typeof COLUMNS)[number];
const COMPARED: readonly Column[] = ["amount", "fee", "net"];

/** A table on wide screens, a card each on phones. */
export function PaymentRows({ proofs }: { proofs: ListedProof[] }) {
  const t = useTranslations("proofs");
  return (
    <div className="overflow-x-auto rounded-md border bg-surface shadow-card max-md:border-0 max-md:bg-transparent max-md:shadow-none">
      <table aria-label={t("title")} role="table" className="w-full max-md:block">
        <thead role="rowgroup" className="max-md:sr-only">
          <tr role="row" className="border-b text-left text-sm text-muted">
            {COLUMNS.map((name) => (
              <th
                key={name}
                role="columnheader"
                scope="col"
                className={cn("px-4 py-2 font-medium", COMPARED.includes(name) && "text-right")}
              >
                {t(`columns.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-md:grid max-md:gap-2">
          {proofs.map((proof) => (
            <PaymentRow key={proof.id} proof={proof} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PaymentRow({ proof }: { proof: ListedProof }) {
  const t = useTranslations("proofs");
  const format = useFormat();
  const { id, at, buyer, product_name, amount, fee, net, currency, known_by } = proof;
  const money = (text: string | null) =>
    text === null ? null : format.money(text, currency ?? "");
  return (
    <tr
      role="row"
      className="border-b last:border-0 max-md:block max-md:rounded-md max-md:border max-md:bg-surface max-md:py-2 max-md:shadow-card max-md:last:border"
    >
      <Cell column="when">
        <Moment iso={at} />
      </Cell>
      <Cell column="buyer">
        <ScopedLink
          href={`/subscriptions/${encodeURIComponent(proof.subscription_id)}`}
          className="rounded wrap-anywhere text-accent underline underline-offset-2"
        >
          {buyer ?? proof.subscription_id}
        </ScopedLink>
      </Cell>
      <Cell column="product">
        <span className="wrap-anywhere">{product_name ?? t("unknownProduct")}</span>
      </Cell>
      <Cell column="amount">
        <span>
          {money(amount) ?? <span className="text-muted">{t("knownBy.unknown")}</span>}
          {known_by === "later" && (
            <span className="block text-xs text-muted">{t("knownBy.later")}</span>
          )}
        </span>
      </Cell>
      <Cell column="fee">{money(fee) ?? <None />}</Cell>
      <Cell column="net">{money(net) ?? <None />}</Cell>
      <Cell column="proof">
        <span className="min-w-0">
          <span className="tabular-nums">{t("number", { id })}</span>
          {proof.delivery_id && (
            <ScopedLink
              href={`/settings/webhooks/deliveries?${deliveriesOf(proof)}`}
              className="block rounded font-mono text-xs wrap-anywhere text-muted underline underline-offset-2 hover:text-ink"
            >
              {proof.delivery_id}
            </ScopedLink>
          )}
        </span>
      </Cell>
    </tr>
  );
}

/** The service's log of them, where it has one. */
const deliveriesOf = ({ subscription_id }: ListedProof) =>
  new URLSearchParams({
    event: "checkout.succeeded",
    subscription: subscription_id,
  }).toString();

const None = () => <span className="text-muted">–</span>;

function Cell({ column, children }: { column: Column; children: ReactNode }) {
  const t = useTranslations("proofs.columns");
  return (
    <td
      role="cell"
      className={cn(
        "px-4 py-2 align-top max-md:flex max-md:justify-between max-md:gap-3 max-md:py-1 max-md:text-right",
        COMPARED.includes(column) && "text-right whitespace-nowrap tabular-nums",
      )}
    >
      <span aria-hidden className="shrink-0 text-muted md:hidden">
        {t(column)}
      </span>
      {children}
    </td>
  );
}
