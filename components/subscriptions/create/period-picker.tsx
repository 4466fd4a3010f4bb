"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import type { BillingPeriod, Plan } from "#contract/products.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { useFormat } from "#components/context/seller-context.tsx";
import type { CatalogueProduct } from "#lib/products/queries.ts";
import { calculatePrice } from "#lib/money/price.ts";
import { findPeriodWithProduct, intervalWords } from "#lib/products/rules.ts";
import { ChoiceCard, ChoiceGroup } from "#components/ui/forms/choices.tsx";
import { ProductPicker } from "./product-picker.tsx";

interface PeriodPickerProps {
  products: CatalogueProduct[];
  /** The seller's day by the service's clock, YYYY-MM-DD: decides which offers are active. */
  today: string;
  /** The product of the ended subscription that is started again; preselected. */
  had?: Subscription["product"] | undefined;
  /** The chosen pbp_id; empty for none. */
  value: string;
  onChange: (pbp_id: string) => void;
  error?: string | undefined;
}

/** Lets the user choose a product, then one of its plans, then one of the plan's periods. */
export function PeriodPicker(props: PeriodPickerProps) {
  const { products, today, had, value, onChange, error } = props;
  const t = useTranslations("create");
  const inFormat = useTranslations("format");
  const { money } = useFormat();
  const { product, plans, plan, chooseProduct, choosePlan } = useSteps(
    products,
    value,
    onChange,
    had,
  );

  function choiceOf(period: BillingPeriod, vat: CatalogueProduct["vat"]): CardChoice {
    const interval = intervalWords(inFormat, period);
    const parts = calculatePrice(period, vat, today);
    return {
      value: period.pbp_id,
      title: period.label || interval,
      note: period.label ? interval : "",
      aside: (
        <>
          {money(period.price, period.currency)}
          {parts && parts.total !== parts.price && (
            <span className="block text-xs font-normal text-muted">
              {t("period.toPay", { amount: money(parts.total, period.currency) })}
            </span>
          )}
        </>
      ),
    };
  }

  return (
    <div id="pbp_id" tabIndex={-1} className="grid gap-4 outline-none">
      <ProductPicker
        products={products}
        product={product}
        onChoose={chooseProduct}
        error={product ? undefined : error}
      />
      {product && plans.length === 0 && (
        <p className="text-sm text-muted">{t("period.none")}</p>
      )}
      {plans.length > 0 && (
        <ChoiceCards
          legend={t("period.plan")}
          name="plan"
          choices={plans.map((item) => ({
            value: item.plan_id,
            title: item.plan_name || t("product.noName"),
            note: item.description,
          }))}
          value={plan?.plan_id ?? ""}
          onChange={(id) => choosePlan(plans.find((item) => item.plan_id === id))}
          error={plan ? undefined : error}
        />
      )}
      {product && plan && (
        <ChoiceCards
          legend={t("period.label")}
          name="pbp_id"
          choices={plan.billing_periods.map((period) => choiceOf(period, product.vat))}
          value={value}
          onChange={onChange}
          error={error}
        />
      )}
    </div>
  );
}

function useSteps(
  products: CatalogueProduct[],
  value: string,
  onChange: (pbp_id: string) => void,
  had: PeriodPickerProps["had"],
) {
  const chosen = findPeriodWithProduct(products, value);
  const [steps, setSteps] = useState({ product_id: had?.product_id ?? "", plan_id: "" });
  // The chosen period determines product and plan, also after a draft was restored.
  const product =
    chosen?.product ?? products.find((item) => item.product_id === steps.product_id);
  const plans = product?.plan.filter((item) => item.billing_periods.length > 0) ?? [];
  const plan =
    chosen?.plan ?? plans.find((item) => item.plan_id === steps.plan_id) ?? onlyOne(plans);

  function choose(product_id: string, next: Plan | undefined) {
    setSteps({ product_id, plan_id: next?.plan_id ?? "" });
    onChange(onlyOne(next?.billing_periods ?? [])?.pbp_id ?? "");
  }

  return {
    product,
    plans,
    plan,
    choosePlan: (next: Plan | undefined) => choose(product?.product_id ?? "", next),
    chooseProduct: (id: string) =>
      choose(id, onlyOne(products.find((item) => item.product_id === id)?.plan ?? [])),
  };
}

function onlyOne<Item>(items: Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}

interface CardChoice {
  value: string;
  title: string;
  note: string;
  aside?: ReactNode;
}

interface ChoiceCardsProps {
  legend: string;
  name: string;
  choices: CardChoice[];
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

function ChoiceCards({ legend, name, choices, value, onChange, error }: ChoiceCardsProps) {
  return (
    <ChoiceGroup id={name} label={legend} error={error} className="sm:grid-cols-2">
      {choices.map((choice) => (
        <ChoiceCard
          key={choice.value}
          type="radio"
          name={name}
          value={choice.value}
          checked={choice.value === value}
          onChange={() => onChange(choice.value)}
          title={choice.title}
          text={choice.note && <span className="line-clamp-2">{choice.note}</span>}
          aside={choice.aside}
        />
      ))}
    </ChoiceGroup>
  );
}
