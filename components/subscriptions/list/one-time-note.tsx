import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { SubscriptionPage } from "#contract/subscriptions.ts";
import { useScope } from "#components/shell/seller-context.tsx";
import type { FindSearch } from "#lib/subscriptions/list-search.ts";
import { countsQuery } from "#lib/subscriptions/queries.ts";
import { uncountedRows } from "#lib/subscriptions/rules.ts";

interface OneTimeNoteProps {
  search: FindSearch;
  page: SubscriptionPage;
}

/** Why the list is longer than the number on its tab. */
export function OneTimeNote({ search: { status }, page }: OneTimeNoteProps) {
  const t = useTranslations("subscriptions");
  // Read by the tabs above.
  const counts = useQueryClient().getQueryData(countsQuery(useScope()).queryKey)?.counts;
  const own = status === "active" ? (counts?.one_time ?? 0) : 0;
  const count = counts || status !== null ? own : uncountedRows(page);
  if (count === 0) return null;
  return <p className="mt-3 text-xs text-muted">{t("oneTimeNote", { count })}</p>;
}
