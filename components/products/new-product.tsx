"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { ScopedLink, useScope } from "#components/context/seller-context.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { LockKeyhole } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import type { CheckoutLook } from "#lib/format/checkout-look.ts";
import { createProductAction } from "#lib/products/actions.ts";
import { emptyProduct } from "#lib/products/draft.ts";
import { productsKey } from "#lib/products/queries.ts";
import { addedProductPath } from "#lib/products/search.ts";
import { ProductForm } from "./form/product-form.tsx";

interface NewProductPageProps {
  /** Identifies this form, so that sending it twice adds one product. */
  formId: string;
  currency: string;
  /** The seller's day by the service's clock, YYYY-MM-DD. */
  today: string;
  look: CheckoutLook | null;
}

export function NewProductPage({ formId, currency, today, look }: NewProductPageProps) {
  const t = useTranslations("products");
  const scope = useScope();
  const router = useRouter();
  const queryClient = useQueryClient();
  return (
    <>
      <PageHeader title={t("form.new")} />
      <ProductForm
        initial={emptyProduct(currency)}
        about={{ product: "new", version: "" }}
        today={today}
        look={look}
        save={(where, product) => createProductAction(where, { form: formId, product })}
        onSaved={({ product_id }) => {
          void queryClient.invalidateQueries({ queryKey: productsKey(scope) });
          router.push(addedProductPath(scope, product_id));
        }}
        submitLabel={t("form.add")}
      />
    </>
  );
}

/** Shown if the catalogue can only be changed at the billing service. */
export function NoCatalogueAccount() {
  const t = useTranslations("products.form.elsewhere");
  return (
    <>
      <h1 className="sr-only">{t("title")}</h1>
      <StatePanel
        icon={LockKeyhole}
        title={t("title")}
        text={t("text")}
        action={
          <ScopedLink href="/products" className={buttonClass()}>
            {t("back")}
          </ScopedLink>
        }
      />
    </>
  );
}
