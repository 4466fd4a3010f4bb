"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { useFormat } from "#components/context/seller-context.tsx";
import { Combobox, type ComboboxOption } from "#components/ui/forms/combobox.tsx";
import { SelectField } from "#components/ui/forms/fields.tsx";
import { useHydrated } from "#components/ui/button.tsx";
import type { Format } from "#lib/format/format.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { CatalogueProduct } from "#lib/products/queries.ts";
import { priceRanges, productStateOf } from "#lib/products/rules.ts";
import { searchProducts } from "#lib/products/search-products.ts";

interface ProductPickerProps {
  products: CatalogueProduct[];
  product: CatalogueProduct | undefined;
  onChoose: (product_id: string) => void;
  error?: string | undefined;
}

/** A combobox; until hydration, the browser's own select. */
export function ProductPicker({ products, product, onChoose, error }: ProductPickerProps) {
  const t = useTranslations("create");
  const format = useFormat();
  const isReady = useHydrated();
  const { select, input } = useEarlyChoice(product?.product_id ?? "", isReady, onChoose);
  const field = { id: "product", label: t("product.label"), error };
  const value = product?.product_id ?? "";

  if (!isReady)
    return (
      <SelectField
        {...field}
        ref={select}
        value={value}
        onChange={(event) => onChoose(event.target.value)}
        options={products.map(({ product_id, name }) => [product_id, name])}
      >
        <option value="" disabled>
          {t("product.choose")}
        </option>
      </SelectField>
    );
  return (
    <Combobox
      {...field}
      ref={input}
      value={value}
      chosen={product?.name ?? ""}
      placeholder={t("product.placeholder")}
      search={(words) => searchProducts(products, words).map(({ product_id }) => product_id)}
      describe={(id) =>
        productOption(
          t,
          format,
          products.find(({ product_id }) => product_id === id),
        )
      }
      onChoose={onChoose}
      nothing={t("product.nothing")}
    />
  );
}

/** Keeps the choice that was made before hydration, and the focus. */
function useEarlyChoice(value: string, isReady: boolean, onChoose: (id: string) => void) {
  const select = useRef<HTMLSelectElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const hadFocus = useRef(false);
  const atFirst = useRef({ value, onChoose });
  useEffect(() => {
    const field = select.current;
    if (!field) return;
    hadFocus.current = document.activeElement === field;
    if (field.value && field.value !== atFirst.current.value)
      atFirst.current.onChoose(field.value);
  }, []);
  useEffect(() => {
    if (!isReady || !hadFocus.current) return;
    hadFocus.current = false;
    input.current?.focus();
  }, [isReady]);
  return { select, input };
}

function productOption(
  t: Translate<"create">,
  { money }: Format,
  product: CatalogueProduct | undefined,
): ComboboxOption {
  if (!product) return { title: "", note: "" };
  const plans = product.plan.map(({ plan_name }) => plan_name).filter(Boolean);
  const state = productStateOf(product);
  const ranges = priceRanges(product).map(({ currency, lowest, highest }) =>
    lowest === highest
      ? money(lowest, currency)
      : t("product.range", {
          lowest: money(lowest, currency),
          highest: money(highest, currency),
        }),
  );
  return {
    title: product.name || t("product.noName"),
    note: [state !== "active" && t(`product.state.${state}`), ...ranges, plans.join(", ")]
      .filter(Boolean)
      .join(" · "),
  };
}
