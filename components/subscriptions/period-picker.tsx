"use client";

import { useEffect, useRef, useState } from "react";
import type { BillingPeriod, Plan } from "#contract/products.ts";
import { FieldError } from "#components/ui/field-frame.tsx";
import { SelectField } from "#components/ui/select-field.tsx";
import { cn } from "#lib/cn.ts";
import { formatMoney } from "#lib/format.ts";
import type { CatalogueProduct } from "#lib/products/queries.ts";
import { findChoice, intervalWords } from "#lib/products/rules.ts";

interface PeriodPickerProps {
  products: CatalogueProduct[];
  /** The chosen pbp_id; empty while none is. */
  value: string;
  onChange: (pbp_id: string) => void;
  error?: string | undefined;
}

/** Product, then plan, then period: only what belongs to the choice before is shown. */
export function PeriodPicker({ products, value, onChange, error }: PeriodPickerProps) {
  const chosen = findChoice(products, value);
  const [product_id, setProductId] = useState(chosen?.product.product_id ?? "");
  const [plan_id, setPlanId] = useState(chosen?.plan.plan_id ?? "");
  const product = products.find((item) => item.product_id === product_id);
  const plans = product?.plan.filter((item) => item.billing_periods.length > 0) ?? [];
  const plan = plans.find((item) => item.plan_id === plan_id) ?? onlyOne(plans);

  function choosePlan(next: Plan | undefined) {
    setPlanId(next?.plan_id ?? "");
    onChange(onlyOne(next?.billing_periods ?? [])?.pbp_id ?? "");
  }

  function chooseProduct(id: string) {
    setProductId(id);
    choosePlan(onlyOne(products.find((item) => item.product_id === id)?.plan ?? []));
  }

  const select = useRef<HTMLSelectElement>(null);
  const atFirst = useRef({ product_id, chooseProduct });
  // What was chosen before the page was at work told nobody; the field itself still knows.
  useEffect(() => {
    const early = select.current?.value;
    if (early && early !== atFirst.current.product_id) atFirst.current.chooseProduct(early);
  }, []);

  return (
    <div id="pbp_id" tabIndex={-1} className="grid gap-4 outline-none">
      <SelectField
        id="product"
        ref={select}
        label="Product"
        value={product_id}
        onChange={(event) => chooseProduct(event.target.value)}
        error={product ? undefined : error}
      >
        <option value="" disabled>
          Choose a product
        </option>
        {products.map((item) => (
          <option key={item.product_id} value={item.product_id}>
            {item.name}
          </option>
        ))}
      </SelectField>
      {product && plans.length === 0 && (
        <p className="text-sm text-muted">This product has no period on sale at the moment.</p>
      )}
      {plans.length > 0 && (
        <Choices
          legend="Plan"
          name="plan"
          options={plans.map((item) => ({
            value: item.plan_id,
            title: item.plan_name,
            note: item.description,
          }))}
          value={plan?.plan_id ?? ""}
          onChange={(id) => choosePlan(plans.find((item) => item.plan_id === id))}
          error={plan ? undefined : error}
        />
      )}
      {plan && (
        <Choices
          legend="Billing period"
          name="pbp_id"
          options={plan.billing_periods.map(periodOption)}
          value={value}
          onChange={onChange}
          error={error}
        />
      )}
    </div>
  );
}

function onlyOne<Item>(items: Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}

function periodOption(period: BillingPeriod) {
  const interval = intervalWords(period);
  return {
    value: period.pbp_id,
    title: period.label || interval,
    note: period.label ? interval : "",
    price: formatMoney(period.price, period.currency),
  };
}

interface Option {
  value: string;
  title: string;
  note: string;
  price?: string;
}

interface ChoicesProps {
  legend: string;
  name: string;
  options: Option[];
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

function Choices({ legend, name, options, value, onChange, error }: ChoicesProps) {
  return (
    <fieldset aria-describedby={error ? `${name}-error` : undefined}>
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {options.map((option) => (
          <label
            key={option.value}
            className={cn(
              "flex min-h-11 cursor-pointer items-start gap-2.5 rounded border bg-surface px-3 py-2.5 shadow-card transition-colors",
              "hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft/50 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="mt-0.5 size-4 accent-accent outline-none"
            />
            <span className="min-w-0 flex-1">
              <span className="block">{option.title}</span>
              {option.note && (
                <span className="line-clamp-2 text-xs text-muted">{option.note}</span>
              )}
            </span>
            {option.price && (
              <span className="font-medium whitespace-nowrap tabular-nums">{option.price}</span>
            )}
          </label>
        ))}
      </div>
      {error && <FieldError id={`${name}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
