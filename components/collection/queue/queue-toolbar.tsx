import { useTranslations } from "next-intl";
import { SearchInput } from "#components/list/filters/search-input.tsx";
import type { QueuePage } from "#lib/collection/queries.ts";
import type { QueueSearch } from "#lib/collection/search.ts";
import { QueueFilters } from "./queue-filters.tsx";
import { CollectionHead } from "./page-head.tsx";
import { GroupTabs } from "./group-tabs.tsx";

const LONGEST_SEARCH_TEXT = 200;

interface QueueToolbarProps {
  page: QueuePage | undefined;
  search: QueueSearch;
  /** The search text. */
  line: string;
  onLine: (line: string) => void;
}

/** The heading, tabs, search and filters. */
export function QueueToolbar({ page, search, line, onLine }: QueueToolbarProps) {
  const t = useTranslations("collection.search");
  return (
    <>
      <CollectionHead page={page} search={search} />
      <GroupTabs search={search} cells={page?.cells} />
      <div className="flex items-start gap-x-2 max-md:*:first:grow md:flex-wrap md:gap-x-4">
        <SearchInput
          label={t("label")}
          placeholder={t("placeholder")}
          longest={LONGEST_SEARCH_TEXT}
          value={line}
          onChange={onLine}
        />
        <QueueFilters search={search} cells={page?.cells} />
      </div>
    </>
  );
}
