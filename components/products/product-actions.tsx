"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ScopedLink, useScope } from "#components/context/seller-context.tsx";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Button } from "#components/ui/button.tsx";
import { Pencil } from "#components/ui/icons.tsx";
import type { Product } from "#contract/products.ts";
import { setOnSaleAction } from "#lib/products/actions.ts";
import { productsKey } from "#lib/products/queries.ts";

/** Buttons to stop or start the sale of a product, and to edit it. */
export function ProductActions({ product }: { product: Product }) {
  const t = useTranslations("products.form");
  const scope = useScope();
  const queryClient = useQueryClient();
  const { run, isPending, failure } = useSellerAction(setOnSaleAction);
  const { product_id, is_active } = product;

  async function setOnSale() {
    const done = await run({ product_id, is_active: !is_active });
    if (done) await queryClient.invalidateQueries({ queryKey: productsKey(scope) });
  }

  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <Button isPending={isPending} onClick={() => void setOnSale()}>
          {t(is_active ? "sale.stop" : "sale.start")}
        </Button>
        <ScopedLink
          href={`/products/${encodeURIComponent(product_id)}/edit`}
          className={buttonClass("primary")}
        >
          <Pencil aria-hidden className="size-4" />
          {t("editButton")}
        </ScopedLink>
      </div>
      <FailureNotice failure={failure} />
    </div>
  );
}
