"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useParams, useRouter } from "next/navigation";
import { useState } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { RecordPage } from "#components/list/query-state.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { Button } from "#components/ui/button.tsx";
import { CircleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { type Failure, isChangedSince } from "#lib/failure.ts";
import { changeProductAction } from "#lib/products/actions.ts";
import { draftOf } from "#lib/products/draft.ts";
import { editedProductQuery, productsKey, type EditedProduct } from "#lib/products/queries.ts";
import { productPath } from "#lib/products/search.ts";
import { ProductForm } from "./form/product-form.tsx";

export function EditProductPage({ failure }: { failure: Failure | null }) {
  const t = useTranslations("products");
  const { id } = useParams<{ id: string }>();
  const query = useQuery(editedProductQuery(useScope(), id));
  return (
    <RecordPage
      back={{ href: `/products/${encodeURIComponent(id)}`, label: t("one") }}
      heading={t("form.edit")}
      query={query}
      failure={failure}
    >
      {(newest) => <EditProduct newest={newest} onReload={() => query.refetch()} />}
    </RecordPage>
  );
}

interface EditProductProps {
  /** The product as it was read last; the form keeps the version that it began with. */
  newest: EditedProduct;
  onReload: () => Promise<{ data: EditedProduct | undefined }>;
}

function EditProduct({ newest, onReload }: EditProductProps) {
  const t = useTranslations("products.form");
  const scope = useScope();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [{ product, periods, look, today }, setBegun] = useState(newest);
  const [isLoading, setLoading] = useState(false);
  const { product_id, version } = product;
  const isOutdated = newest.product.version !== version;

  async function load() {
    setLoading(true);
    const { data } = await onReload();
    setLoading(false);
    if (data) setBegun(data);
  }

  const changed = (
    <Notice look="warning" icon={CircleAlert} role="alert">
      <p className="font-medium">{t("changed.title")}</p>
      <p>{t("changed.text")}</p>
      <Button isPending={isLoading} onClick={() => void load()} className="mt-2">
        {t("changed.load")}
      </Button>
    </Notice>
  );

  return (
    <>
      <PageHeader
        title={<span className="wrap-anywhere">{t("editOf", { name: product.name })}</span>}
      />
      <ProductForm
        key={version}
        initial={draftOf(product)}
        about={{ product: product_id, version }}
        saved={{
          isOnSale: product.is_active,
          subscribers: new Map(periods.map((one) => [one.pbp_id, one.subscribers])),
        }}
        today={today}
        look={look}
        save={(where, draft) =>
          changeProductAction(where, { product_id, version, product: draft })
        }
        onSaved={() => {
          void queryClient.invalidateQueries({ queryKey: productsKey(scope) });
          showToast({ text: t("saved") });
          router.push(productPath(scope, product_id));
        }}
        submitLabel={t("save")}
        notice={isOutdated && changed}
        renderFailure={(failure) => (isChangedSince(failure) ? changed : null)}
      />
    </>
  );
}
