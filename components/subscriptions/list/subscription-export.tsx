"use client";

import { ExportMenu } from "#components/list/export-menu.tsx";
import { usePermission, useScope } from "#components/context/seller-context.tsx";
import type { SubscriptionColumn } from "#lib/subscriptions/columns.ts";
import { exportPreviewQuery, fetchExport } from "#lib/subscriptions/export/queries.ts";
import type { SubscriptionSearch } from "#lib/subscriptions/search.ts";

interface SubscriptionExportProps {
  search: SubscriptionSearch;
  words: string;
  shown: readonly SubscriptionColumn[];
}

export function SubscriptionExport({ search, words, shown }: SubscriptionExportProps) {
  const scope = useScope();
  if (!usePermission("subscriptions:export")) return null;
  return (
    <ExportMenu
      preview={exportPreviewQuery(scope, search, words)}
      columns={["shown", "all"]}
      fetchFile={(format, columns, signal) =>
        fetchExport(
          scope,
          { search, format, columns: columns === "shown" ? [...shown] : null },
          words,
          signal,
        )
      }
    />
  );
}
