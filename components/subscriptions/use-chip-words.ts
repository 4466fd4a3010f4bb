import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { facetsQuery } from "#lib/subscriptions/queries.ts";
import { type FilterChip, filterChipsOf } from "#lib/subscriptions/query-line.ts";
import { type SubscriptionSearch, filtersOf } from "#lib/subscriptions/search.ts";
import { statusLabel } from "#components/subscriptions/subscription-status-badge.tsx";
import { SORTS } from "#lib/search-index/query/subscription-filters.ts";

export function useDescribeFilter({ product }: Pick<SubscriptionSearch, "product">) {
  const t = useTranslations("finding.chips");
  const tStatus = useTranslations("subscriptions");
  const format = useFormat();
  const { data: facets } = useQuery({
    ...facetsQuery(useScope()),
    enabled: product !== null,
  });
  // Links from a product's page filter by its id.
  const nameOf = (value: string) =>
    facets?.find(({ product_id }) => product_id === value)?.product_name ?? value;
  return ({ field, from, to, isOpen }: FilterChip): string => {
    const name = t(`names.${field}`);
    if (field === "status") return t("is", { name, value: statusLabel(tStatus, from ?? "") });
    if (field === "kind")
      return t("is", { name, value: t(from === "one_time" ? "oneTime" : "recurring") });
    if (field === "product" || field === "plan" || field === "tag")
      return t("is", { name, value: nameOf(from ?? "") });
    const write = (value: string) => (field === "price" ? value : format.date(value));
    const ends = { name, from: from ? write(from) : "", to: to ? write(to) : "" };
    if (from !== null && to !== null) {
      if (from === to) return t("is", { name, value: ends.from });
      return t(isOpen ? "within" : "between", ends);
    }
    if (from !== null) return t(isOpen ? "over" : "from", ends);
    return t(isOpen ? "under" : "to", ends);
  };
}

export function useDescribeView(search: SubscriptionSearch): (words: string) => string[] {
  const t = useTranslations("views");
  const tColumn = useTranslations("subscriptions.columns");
  const describe = useDescribeFilter(search);
  const { sort } = search;
  const column = SORTS.find((known) => known === sort?.replace("-", ""));
  return (words) => {
    const facts = [
      ...(words ? [t("words", { words })] : []),
      ...filterChipsOf(filtersOf(search)).map(describe),
      ...(column
        ? [t(sort === column ? "sortUp" : "sortDown", { column: tColumn(column) })]
        : []),
    ];
    return facts.length > 0 ? facts : [t("everything")];
  };
}
