"use client";

import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { PackageX } from "lucide-react";
import { useTranslations } from "next-intl";
import { useParams } from "next/navigation";
import type { ReactNode } from "react";
import { RecordPage } from "#components/list/record-page.tsx";
import { useCached } from "#components/list/use-cached.ts";
import { PageHeader } from "#components/shell/page-header.tsx";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import type { Scope } from "#lib/scope.ts";
import type { Failure } from "#lib/failure.ts";
import {
  productQuery,
  productsQuery,
  type ProductRecord as Record,
} from "#lib/products/queries.ts";
import { ProductDetails } from "./product-details.tsx";
import { ProductPlans } from "./product-plans.tsx";
import { ProductStateBadge } from "./product-state-badge.tsx";

interface ProductRecordProps {
  failure: Failure | null;
  /** While the server renders the page: what the cache or the list holds, or a skeleton. */
  isPlaceholder?: boolean;
  children?: ReactNode;
}

export function ProductDetailPage({
  failure,
  isPlaceholder = false,
  children,
}: ProductRecordProps) {
  const t = useTranslations("products");
  const { id } = useParams<{ id: string }>();
  const scope = useScope();
  const queryClient = useQueryClient();
  const query = useCached(
    {
      ...productQuery(scope, id),
      placeholderData: () => fromList(queryClient, scope, id),
    },
    isPlaceholder,
  );
  return (
    <RecordPage
      back={{ href: "/products", label: t("title") }}
      heading={t("one")}
      query={query}
      failure={failure}
      skeleton={
        <>
          <span className="skeleton mb-5 h-8 w-64" />
          <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <span className="skeleton h-80 rounded-md" />
            <span className="skeleton h-64 rounded-md" />
          </div>
        </>
      }
    >
      {(record) => <RecordView record={record}>{children}</RecordView>}
    </RecordPage>
  );
}

interface RecordViewProps {
  record: Record;
  children: ReactNode;
}

function RecordView({ record, children }: RecordViewProps) {
  const t = useTranslations("products");
  const { product, is_complete, today } = record;
  if (!product) return <Unlisted isComplete={is_complete} />;
  return (
    <>
      <PageHeader
        title={<span className="wrap-anywhere">{product.name || t("noName")}</span>}
        aside={<ProductStateBadge product={product} />}
      />
      <div className="grid items-start gap-4 wrap-anywhere lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0">
          <ProductPlans {...{ product, today }} />
          {children}
        </div>
        <ProductDetails product={product} />
      </div>
    </>
  );
}

function Unlisted({ isComplete }: { isComplete: boolean }) {
  const t = useTranslations("products");
  return (
    <>
      <h1 className="sr-only">{t("one")}</h1>
      <StatePanel
        icon={PackageX}
        title={t("unlisted.title")}
        text={t(isComplete ? "unlisted.complete" : "unlisted.incomplete")}
        action={
          <ScopedLink href="/products" className={buttonClass()}>
            {t("seeAll")}
          </ScopedLink>
        }
      />
    </>
  );
}

function fromList(client: QueryClient, scope: Scope, id: string): Record | undefined {
  const list = client.getQueryData(productsQuery(scope).queryKey);
  const product = list?.products.find(({ product_id }) => product_id === id);
  return list && product && { ...list, product };
}
