"use client";

import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { ArrowLeftRight, PackageOpen, Plus } from "#components/ui/icons.tsx";
import type { Product } from "#contract/products.ts";
import { ScopedLink, useFormat, useScope } from "#components/context/seller-context.tsx";
import { columnsOf } from "#components/list/data-table.tsx";
import { SearchInput } from "#components/list/filters/search-input.tsx";
import { useDebounced } from "#components/list/filters/use-words.ts";
import { ListPage } from "#components/list/list-page.tsx";
import { MatchCount, NoMatch } from "#components/list/index-notice.tsx";
import { RowLink, UrlLink } from "#components/list/links.tsx";
import { useCachedQuery } from "#components/list/query-state.tsx";
import { PageHeader, PageSwitch } from "#components/shell/page-header.tsx";
import { buttonClass, type ButtonLook } from "#components/ui/button-class.ts";
import { Button } from "#components/ui/button.tsx";
import { MissingValue } from "#components/ui/detail-row.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import type { Failure } from "#lib/failure.ts";
import { localizeDigits } from "#lib/format/format.ts";
import { productsQuery } from "#lib/products/queries.ts";
import { priceRanges } from "#lib/products/rules.ts";
import {
  MAX_PRODUCT_SEARCH_LENGTH,
  parseProductSearch,
  productPath,
  productsPath,
} from "#lib/products/search.ts";
import { ProductImage } from "./product-image.tsx";
import { ProductStateBadge } from "./product-state-badge.tsx";

interface ProductListPageProps {
  /** Why the server could not read the list. */
  failure: Failure | null;
  /** Whether the person can add products here. */
  canAdd?: boolean;
  /** Whether the server renders the page: it shows what the cache holds, or a skeleton. */
  isPlaceholder?: boolean;
}

export function ProductListPage({
  failure,
  canAdd = false,
  isPlaceholder = false,
}: ProductListPageProps) {
  const t = useTranslations("products");
  const scope = useScope();
  const queryClient = useQueryClient();
  const parameters = useSearchParams();
  const search = useMemo(() => parseProductSearch(parameters), [parameters]);
  // Null until the user types, and once the field loses the focus; then it shows the search text of the
  // URL.
  const [typed, setTyped] = useState<string | null>(null);
  const q = useDebounced(search.q);
  const options = productsQuery(scope, { ...search, q });
  const query = useCachedQuery(
    { ...options, placeholderData: keepPreviousData },
    isPlaceholder,
  );
  const list = query.data;
  const isOff = search.sale === "off";
  function type(text: string) {
    setTyped(text);
    // Replaces the history entry, so that typing adds none.
    const path = productsPath(scope, { ...search, q: text.trim() || null, page: 1 });
    window.history.replaceState(null, "", path);
  }
  return (
    <>
      <PageHeader title={t("title")} action={canAdd && <HeaderLinks />} />
      {canAdd && <SaleSwitch isOff={isOff} />}
      {!isOff && (
        <SearchInput
          label={t("search.label")}
          placeholder={t("search.placeholder")}
          longest={MAX_PRODUCT_SEARCH_LENGTH}
          value={typed ?? search.q ?? ""}
          onChange={type}
          onBlur={() => setTyped(null)}
        />
      )}
      <ListPage
        label={t("title")}
        className="product-rows"
        columns={productColumns}
        rowId={(row) => row.product_id}
        query={query}
        queryKey={options.queryKey}
        failure={failure}
        paging={search}
        hrefOf={(paging) => productsPath(scope, { ...search, ...paging })}
        prefetchPage={(paging) =>
          void queryClient.prefetchQuery(productsQuery(scope, { ...search, q, ...paging }))
        }
        empty={
          list?.source.kind === "index" ? (
            <NoMatch
              namespace="products.found"
              list={list}
              action={
                <UrlLink
                  href={productsPath(scope, { page_size: search.page_size })}
                  className={buttonClass()}
                >
                  {t("showAll")}
                </UrlLink>
              }
            />
          ) : isOff ? (
            <StatePanel
              icon={PackageOpen}
              title={t("sale.noneTitle")}
              text={t("sale.noneText")}
            />
          ) : canAdd ? (
            <StatePanel
              icon={PackageOpen}
              title={t("empty.firstTitle")}
              text={t("empty.firstText")}
              action={<AddLink look="primary" />}
            />
          ) : (
            <StatePanel
              icon={PackageOpen}
              title={t("empty.title")}
              text={t("empty.text")}
              action={
                !isPlaceholder && (
                  <Button isPending={query.isFetching} onClick={() => void query.refetch()}>
                    {t("empty.again")}
                  </Button>
                )
              }
            />
          )
        }
        summary={
          search.q !== null &&
          !list?.absence && <MatchCount namespace="products.found" list={list} />
        }
      />
    </>
  );
}

function SaleSwitch({ isOff }: { isOff: boolean }) {
  const t = useTranslations("products.sale");
  return (
    <div className="mb-4">
      <PageSwitch
        label={t("label")}
        pages={[
          { href: "/products", label: t("on"), isCurrent: !isOff },
          { href: "/products?sale=off", label: t("off"), isCurrent: isOff },
        ]}
      />
    </div>
  );
}

function HeaderLinks() {
  const t = useTranslations("products");
  return (
    <div className="flex flex-wrap gap-2">
      <ScopedLink href="/products/import" className={buttonClass("quiet")}>
        <ArrowLeftRight aria-hidden className="size-4" />
        {t("importExport")}
      </ScopedLink>
      <AddLink look="secondary" />
    </div>
  );
}

function AddLink({ look }: { look: ButtonLook }) {
  const t = useTranslations("products");
  return (
    <ScopedLink href="/products/new" className={buttonClass(look)}>
      <Plus aria-hidden className="size-4" />
      {t("add")}
    </ScopedLink>
  );
}

type ColumnName = "product" | "price" | "state" | "subscribers" | "type";

const productColumns = columnsOf<Product, ColumnName>(Head, {
  product: (product) => <ProductCell product={product} />,
  price: (product) => <PriceCell product={product} />,
  state: (product) => <ProductStateBadge product={product} />,
  subscribers: (product) => <SubscribersCell product={product} />,
  type: ({ type }) => type || <MissingValue />,
});

function Head({ of }: { of: ColumnName }) {
  return useTranslations("products.columns")(of);
}

function ProductCell({ product }: { product: Product }) {
  const t = useTranslations("products");
  const { product_id, name, description, product_image } = product;
  const [first] = product_image.toSorted((a, b) => a.image_order - b.image_order);
  return (
    <div>
      <ProductImage url={first?.image} name={name} alt="" size={36} />
      <div>
        <RowLink href={productPath(useScope(), product_id)} title={name}>
          {name || t("noName")}
        </RowLink>
        <small>{description}</small>
      </div>
    </div>
  );
}

function PriceCell({ product }: { product: Product }) {
  const { money } = useFormat();
  const ranges = priceRanges(product);
  if (ranges.length === 0) return <MissingValue />;
  return ranges.map(({ currency, lowest, highest }) => (
    <div key={currency}>
      <span>
        {money(lowest, currency)}
        {highest !== lowest && " –"}
      </span>{" "}
      {highest !== lowest && <span>{money(highest, currency)}</span>}
    </div>
  ));
}

/** The number of subscribers; with a unit on phones, where columns have no heading. */
function SubscribersCell({ product: { total_subscribers: total } }: { product: Product }) {
  const t = useTranslations("products");
  const language = useLocale();
  return t.rich("subscribers", {
    total,
    shown: () => (total ? localizeDigits(total, language) : <MissingValue />),
    unit: (words) => <span className="md:hidden">{words}</span>,
  });
}
