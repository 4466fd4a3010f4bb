import { useTranslations } from "next-intl";
import { PageHeader } from "#components/shell/page-header.tsx";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { useFormat } from "#components/values/use-format.ts";
import type { QueuePage } from "#lib/collection/queries.ts";
import { sumCounts } from "#lib/collection/queue-counts.ts";
import type { QueueSearch } from "#lib/collection/search.ts";

/** The heading and the amount to collect. */
export function CollectionHead({
  page,
  search,
}: {
  page: QueuePage | undefined;
  search: QueueSearch;
}) {
  const t = useTranslations("collection");
  const format = useFormat();
  const sums = page && sumCounts(page.cells, search);
  return (
    <PageHeader
      title={t("title")}
      aside={
        <ScopedLink
          href="/reports/reminders"
          className="rounded py-1 text-sm text-muted underline underline-offset-2 hover:text-ink"
        >
          {t("results")}
        </ScopedLink>
      }
      action={
        sums &&
        sums.amounts.length > 0 && (
          <p className="text-right">
            <span className="text-xs text-muted">{t("toCollect")} </span>
            <span className="font-semibold tabular-nums">{format.sum(sums.amounts)}</span>
          </p>
        )
      }
    />
  );
}
