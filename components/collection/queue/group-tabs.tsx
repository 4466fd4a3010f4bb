import { useTranslations } from "next-intl";
import { FilterTabs } from "#components/list/filters/filter-tabs.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { sumCounts, type QueueCount } from "#lib/collection/queue-counts.ts";
import { queuePath, GROUPS, type QueueSearch } from "#lib/collection/search.ts";

interface GroupTabsProps {
  search: QueueSearch;
  cells: QueueCount[] | undefined;
}

export function GroupTabs({ search, cells }: GroupTabsProps) {
  const t = useTranslations("collection.groups");
  const scope = useScope();
  const sums = cells && sumCounts(cells, search);
  return (
    <FilterTabs
      label={t("label")}
      tabs={[null, ...GROUPS].map((group) => ({
        href: queuePath(scope, { ...search, group }),
        label: t(group ?? "all"),
        count: sums?.groups[group ?? "all"],
        isCurrent: search.group === group,
      }))}
    />
  );
}
