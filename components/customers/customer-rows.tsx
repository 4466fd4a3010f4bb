import { Users } from "lucide-react";
import { useTranslations } from "next-intl";
import type { CustomerPage } from "#contract/customers.ts";
import { DataTable } from "#components/list/data-table.tsx";
import { MissingPage } from "#components/list/missing-page.tsx";
import { Pagination } from "#components/list/pagination.tsx";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { usePermission, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { customersPath, PAGE_SIZES, type CustomerSearch } from "#lib/customers/search.ts";
import { customerColumns } from "./customer-columns.tsx";

interface CustomerRowsProps {
  search: CustomerSearch;
  page: CustomerPage | undefined;
  isBusy?: boolean;
}

/** One page of the list as the service has it, newest first. */
export function CustomerRows({ search, page, isBusy = false }: CustomerRowsProps) {
  const t = useTranslations("customers");
  const scope = useScope();
  if (page?.results.length === 0)
    return search.page > 1 ? <NoSuchCustomerPage search={search} /> : <NoCustomers />;
  return (
    <>
      <DataTable
        label={t("title")}
        columns={customerColumns}
        rows={page?.results}
        rowId={(row) => String(row.id)}
        isBusy={isBusy}
        expectedRows={search.page_size}
      />
      {page && (
        <Pagination
          paging={search}
          pageSizes={PAGE_SIZES}
          answer={page}
          hrefOf={(place) => customersPath(scope, place)}
        />
      )}
    </>
  );
}

export function NoSuchCustomerPage({ search }: { search: CustomerSearch }) {
  const firstHref = customersPath(useScope(), { ...search, page: 1 });
  return <MissingPage page={search.page} firstHref={firstHref} />;
}

function NoCustomers() {
  const t = useTranslations("customers");
  const mayCreate = usePermission("subscriptions:create");
  return (
    <StatePanel
      icon={Users}
      title={t("empty.title")}
      text={t("empty.text")}
      action={
        mayCreate && (
          <ScopedLink href="/subscriptions/new" className={buttonClass("primary")}>
            {t("newSubscription")}
          </ScopedLink>
        )
      }
    />
  );
}
