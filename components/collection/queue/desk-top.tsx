import { useTranslations } from "next-intl";
import { SearchInput } from "#components/list/filters/search-input.tsx";
import type { DeskPage } from "#lib/collection/queries.ts";
import type { DeskSearch } from "#lib/collection/search.ts";
import { DeskFilters } from "./desk-filters.tsx";
import { DeskHead } from "./desk-head.tsx";
import { DeskTabs } from "./desk-tabs.tsx";

const LONGEST_SEARCH_TEXT = 200;

interface DeskTopProps {
  page: DeskPage | undefined;
  search: DeskSearch;
  /** The words that are searched for. */
  line: string;
  onLine: (line: string) => void;
}

/** What stands above the queue: its heading, its parts, and what narrows it. */
export function DeskTop({ page, search, line, onLine }: DeskTopProps) {
  const t = useTranslations("collection.search");
  return (
    <>
      <DeskHead page={page} search={search} />
      <DeskTabs search={search} cells={page?.cells} />
      <div className="flex items-start gap-x-2 max-md:*:first:grow md:flex-wrap md:gap-x-4">
        <SearchInput
          label={t("label")}
          placeholder={t("placeholder")}
          longest={LONGEST_SEARCH_TEXT}
          value={line}
          onChange={onLine}
        />
        <DeskFilters search={search} cells={page?.cells} />
      </div>
    </>
  );
}
