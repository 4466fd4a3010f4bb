"use client";

import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { DataTable } from "#components/data-table/data-table.tsx";
import { StaleNotice } from "#components/data-table/stale-notice.tsx";
import { useVisibleFailure } from "#components/data-table/use-visible-failure.ts";
import { FailurePanel } from "#components/layout/failure-panel.tsx";
import { useScope } from "#components/layout/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { knownCustomersQuery } from "#lib/customers/queries.ts";
import { describeLooked } from "#lib/looked.ts";
import { searchCustomers } from "#lib/customers/search.ts";
import { customerColumns } from "./customer-columns.tsx";

const MOST_ROWS = 50;
const EXPECTED_ROWS = 5;

interface FoundCustomersProps {
  words: string;
  onClear: () => void;
}

/** What a search finds, and among whom it searched: the service itself cannot be asked. */
export function FoundCustomers({ words, onClear }: FoundCustomersProps) {
  const t = useTranslations("customers");
  const format = useTranslations("format");
  const query = useQuery(knownCustomersQuery(useScope()));
  const failure = useVisibleFailure(query, null);
  const known = query.data;
  const found = useMemo(() => known && searchCustomers(known.customers, words), [known, words]);
  if (failure) {
    const retry = () => void query.refetch();
    return <FailurePanel failure={failure} isRetrying={query.isFetching} onRetry={retry} />;
  }
  const extent = known ? describeLooked(format, known, "customer") : "";
  if (found?.length === 0) {
    return (
      <StatePanel
        role="status"
        icon={SearchX}
        title={t("found.noneTitle")}
        text={t("found.noneText", { extent })}
        action={<Button onClick={onClear}>{t("showAll")}</Button>}
      />
    );
  }
  return (
    <>
      <StaleNotice query={query} />
      <DataTable
        label={t("title")}
        columns={customerColumns}
        rows={found?.slice(0, MOST_ROWS)}
        rowId={(row) => String(row.id)}
        expectedRows={EXPECTED_ROWS}
      />
      <p role="status" className="mt-3 text-sm text-muted tabular-nums">
        {found && t("found.count", { count: found.length, extent })}
        {found && found.length > MOST_ROWS && ` ${t("found.first", { count: MOST_ROWS })}`}
      </p>
    </>
  );
}
