import { useTranslations } from "next-intl";
import { FilterTabs } from "#components/list/filters/filter-tabs.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { sumCells, type DeskCell } from "#lib/collection/queue-counts.ts";
import { deskPath, GROUPS, type DeskSearch } from "#lib/collection/search.ts";

interface DeskTabsProps {
  search: DeskSearch;
  cells: DeskCell[] | undefined;
}

export function DeskTabs({ search, cells }: DeskTabsProps) {
  const t = useTranslations("collection.groups");
  const scope = useScope();
  const sums = cells && sumCells(cells, search);
  return (
    <FilterTabs
      label={t("label")}
      tabs={[null, ...GROUPS].map((group) => ({
        href: deskPath(scope, { ...search, group }),
        label: t(group ?? "all"),
        count: sums?.groups[group ?? "all"],
        isCurrent: search.group === group,
      }))}
    />
  );
}
