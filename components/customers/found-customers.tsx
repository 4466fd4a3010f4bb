"use client";

import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Customer } from "#contract/customers.ts";
import { DataTable } from "#components/list/data-table.tsx";
import { IndexFreshness } from "#components/list/index-freshness.tsx";
import { StaleNotice } from "#components/list/stale-notice.tsx";
import { useVisibleFailure } from "#components/list/use-visible-failure.ts";
import { useDebounced } from "#components/list/filters/use-words.ts";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { knownCustomersQuery } from "#lib/customers/queries.ts";
import { describeLooked } from "#lib/looked.ts";
import { findCustomersQuery, type Findings } from "#lib/subscriptions/search-queries.ts";
import { searchCustomers } from "#lib/customers/search.ts";
import { customerColumns } from "./customer-columns.tsx";

const MOST_ROWS = 50;
const EXPECTED_ROWS = 5;
const FIRST_PAGE = { page: 1, page_size: MOST_ROWS };

interface FoundCustomersProps {
  words: string;
  onClear: () => void;
}

/** What a search finds, and among whom it searched: the service itself cannot be asked. */
export function FoundCustomers({ words, onClear }: FoundCustomersProps) {
  const t = useTranslations("customers");
  const format = useTranslations("format");
  const scope = useScope();
  const query = useQuery(knownCustomersQuery(scope));
  const failure = useVisibleFailure(query, null);
  const known = query.data;
  // Beyond what is read at once, everybody is in the copy.
  const settled = useDebounced(words);
  const copy = useQuery({
    ...findCustomersQuery(scope, FIRST_PAGE, settled),
    enabled: known !== undefined && !known.is_complete,
  });
  const found = useMemo(() => known && searchCustomers(known.customers, words), [known, words]);
  if (failure) {
    const retry = () => void query.refetch();
    return <FailurePanel failure={failure} isRetrying={query.isFetching} onRetry={retry} />;
  }
  if (copy.data?.state === "ready" && copy.data.count > 0)
    return <CopiedCustomers found={copy.data} isBusy={copy.isPlaceholderData} />;
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

interface CopiedCustomersProps {
  found: Findings<Customer>;
  isBusy: boolean;
}

/** Out of the copy, the nearest first. */
function CopiedCustomers({ found, isBusy }: CopiedCustomersProps) {
  const t = useTranslations("customers");
  const tFound = useTranslations("finding.found");
  const { results, count, is_near, is_capped } = found;
  return (
    <>
      <DataTable
        label={t("title")}
        columns={customerColumns}
        rows={results}
        rowId={(row) => String(row.id)}
        isBusy={isBusy}
        expectedRows={EXPECTED_ROWS}
      />
      <p role="status" className="mt-3 text-sm text-muted tabular-nums">
        {is_near
          ? tFound("near")
          : t(is_capped ? "found.copiedMore" : "found.copied", { count })}{" "}
        {!is_near && count > results.length && t("found.first", { count: results.length })}{" "}
        <IndexFreshness found={found} />
      </p>
    </>
  );
}
