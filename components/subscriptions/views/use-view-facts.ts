import { useTranslations } from "next-intl";
import { chipsOf } from "#lib/subscriptions/query-line.ts";
import { SORTS } from "#lib/search-index/query/subscription-filters.ts";
import { filtersOf, type SubscriptionSearch } from "#lib/subscriptions/search.ts";
import { useChipWords } from "#components/subscriptions/list/use-chip-words.ts";

/** What a list is narrowed to and sorted by, a phrase each, for whoever gives it a name. */
export function useViewFacts(search: SubscriptionSearch): (words: string) => string[] {
  const t = useTranslations("views");
  const tColumn = useTranslations("subscriptions.columns");
  const describe = useChipWords(search);
  const { sort } = search;
  const column = SORTS.find((known) => known === sort?.replace("-", ""));
  return (words) => {
    const facts = [
      ...(words ? [t("words", { words })] : []),
      ...chipsOf(filtersOf(search)).map(describe),
      ...(column
        ? [t(sort === column ? "sortUp" : "sortDown", { column: tColumn(column) })]
        : []),
    ];
    return facts.length > 0 ? facts : [t("everything")];
  };
}
