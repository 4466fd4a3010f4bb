import { useTranslations } from "next-intl";
import { PageLink } from "#components/context/seller-context.tsx";
import { RefreshFailure } from "#components/forms/refresh-failure.tsx";
import { KeysetList } from "#components/list/keyset-list.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { DownloadLink } from "#components/ui/download-link.tsx";
import { ScrollText, Unplug } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import type { Format } from "#lib/format/format.ts";
import type { BillListResult } from "#lib/payments/bills/rules.ts";
import { billsPath, isUnfilteredBills, type BillSearch } from "#lib/payments/bills/search.ts";
import { BOOK_FORMATS, salesBookPath } from "#lib/payments/statement/search.ts";
import { scopePath, type Scope } from "#lib/scope.ts";
import { BillFilter } from "./bill-filter.tsx";
import { BillRows, BillTotals } from "./bill-rows.tsx";

interface BillListProps {
  scope: Scope;
  search: BillSearch;
  result: BillListResult;
  format: Format;
  time_zone: string;
  mayExport: boolean;
}

/** Receipts, VAT bills, credit and debit notes, the newest first. */
export function BillList({
  scope,
  search,
  result,
  format,
  time_zone,
  mayExport,
}: BillListProps) {
  const t = useTranslations("bills.list");
  const isShown = result !== null && !("failure" in result);
  return (
    <>
      <PageHeader
        title={t("title")}
        aside={
          <PageLink href={scopePath(scope, "/payments")} className="link">
            {t("back")}
          </PageLink>
        }
        action={
          isShown &&
          mayExport &&
          result.bills.length > 0 && <SalesBook {...{ scope, search }} newest={result.newest} />
        }
      />
      {result === null ? (
        <StatePanel icon={Unplug} title={t("notOffered.title")} text={t("notOffered.text")} />
      ) : "failure" in result ? (
        <RefreshFailure failure={result.failure} />
      ) : (
        <>
          <p className="mb-4 max-w-2xl text-pretty text-muted">{t("intro")}</p>
          {(result.bills.length > 0 ||
            search.before !== null ||
            !isUnfilteredBills(search)) && (
            // Remounts for another URL, so that Back shows the current filters.
            <BillFilter
              key={billsPath(scope, search)}
              {...{ scope, search }}
              years={result.years}
              months={result.months.map((month) => [month, format.month(month)])}
            />
          )}
          <KeysetList
            before={search.before}
            next={result.next}
            pathTo={(before) => billsPath(scope, { ...search, before })}
            isEmpty={result.bills.length === 0}
            empty={{ icon: ScrollText, title: t("empty.title"), text: t("empty.text") }}
            noMatch={
              isUnfilteredBills(search)
                ? null
                : {
                    title: t("noMatch.title"),
                    text: t("noMatch.text"),
                    all: t("noMatch.all"),
                    allPath: billsPath(scope),
                  }
            }
          >
            <BillTotals totals={result.totals} format={format} />
            <BillRows bills={result.bills} {...{ scope, format, time_zone }} />
          </KeysetList>
        </>
      )}
    </>
  );
}

interface SalesBookProps {
  scope: Scope;
  search: BillSearch;
  newest: string;
}

/** The sales book of the chosen month or year; without either, of the current fiscal year. */
function SalesBook({ scope, search: { month, year }, newest }: SalesBookProps) {
  const t = useTranslations("bills.list.book");
  const span = month === null ? "year" : "month";
  const name = month === null && year !== null ? "ofYear" : span;
  return (
    <div className="flex flex-wrap gap-2 max-md:w-full">
      {BOOK_FORMATS.map((book) => (
        <DownloadLink
          key={book}
          href={salesBookPath(scope, { month: month ?? newest, span, year, book })}
          className="max-md:flex-1"
        >
          {t(name, { year: year ?? "", format: book.toUpperCase() })}
        </DownloadLink>
      ))}
    </div>
  );
}
