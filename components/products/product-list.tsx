"use client";

import { PackageOpen, SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { useMemo, type ReactNode } from "react";
import { DataTable } from "#components/list/data-table.tsx";
import { QueryOutcome } from "#components/list/query-outcome.tsx";
import { useCached } from "#components/list/use-cached.ts";
import { UrlLink } from "#components/list/url-link.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import type { Failure } from "#lib/failure.ts";
import { productsQuery, type ProductList as List } from "#lib/products/queries.ts";
import { parseProductSearch, productsPath, searchProducts } from "#lib/products/search.ts";
import { productColumns } from "./product-columns.tsx";
import { ProductSearch } from "./product-search.tsx";

const MOST_ROWS = 200;
const EXPECTED_ROWS = 8;

interface ProductListProps {
  /** Why the server could not read the list. */
  failure: Failure | null;
  /** While the server renders the page: what the cache holds, or a skeleton. */
  isPlaceholder?: boolean;
}

export function ProductListPage({ failure, isPlaceholder = false }: ProductListProps) {
  const t = useTranslations("products");
  const query = useCached(productsQuery(useScope()), isPlaceholder);
  const retry = () => void query.refetch();
  return (
    <>
      <PageHeader title={t("title")} />
      <QueryOutcome {...{ query, failure }}>
        <Rows
          list={query.data}
          again={
            !isPlaceholder && (
              <Button isPending={query.isFetching} onClick={retry}>
                {t("empty.again")}
              </Button>
            )
          }
          isPlaceholder={isPlaceholder}
        />
      </QueryOutcome>
    </>
  );
}

interface RowsProps {
  list: List | undefined;
  /** Reads the list again if it is empty. */
  again: ReactNode;
  isPlaceholder: boolean;
}

function Rows({ list, again, isPlaceholder }: RowsProps) {
  const t = useTranslations("products");
  const scope = useScope();
  const q = parseProductSearch(useSearchParams());
  const found = useMemo(() => list && searchProducts(list.products, q), [list, q]);
  if (list?.products.length === 0) {
    return (
      <StatePanel
        icon={PackageOpen}
        title={t("empty.title")}
        text={t("empty.text")}
        action={again}
      />
    );
  }
  return (
    <>
      {list ? (
        <ProductSearch {...{ q, isPlaceholder }} />
      ) : (
        <span className="skeleton mb-4 h-9 md:w-80" />
      )}
      {found?.length === 0 ? (
        <StatePanel
          icon={SearchX}
          title={t("found.noneTitle")}
          text={t("found.noneText")}
          action={
            <UrlLink href={productsPath(scope)} className={buttonClass()}>
              {t("showAll")}
            </UrlLink>
          }
        />
      ) : (
        <DataTable
          label={t("title")}
          columns={productColumns}
          rows={found?.slice(0, MOST_ROWS)}
          rowId={(row) => row.product_id}
          expectedRows={EXPECTED_ROWS}
        />
      )}
      {list && found && <Extent list={list} found={found.length} isSearch={q.trim() !== ""} />}
    </>
  );
}

interface ExtentProps {
  list: List;
  found: number;
  isSearch: boolean;
}

function Extent({ list, found, isSearch }: ExtentProps) {
  const t = useTranslations("products");
  const all = list.products.length;
  const extent = isSearch
    ? t("found.ofAll", { found, all })
    : t(list.is_complete ? "found.all" : "found.loaded", { all });
  return (
    <div className="mt-3 grid gap-1 text-sm text-muted">
      <p role="status" className="tabular-nums">
        {found > MOST_ROWS ? t("found.first", { extent, count: MOST_ROWS }) : extent}
      </p>
      {!list.is_complete && <p>{t("found.more", { all })}</p>}
    </div>
  );
}
