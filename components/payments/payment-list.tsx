import { useTranslations } from "next-intl";
import { PageLink } from "#components/context/seller-context.tsx";
import { KeysetList } from "#components/list/keyset-list.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { BadgeCheck } from "#components/ui/icons.tsx";
import { DownloadLink } from "#components/ui/download-link.tsx";
import { scopePath, type Scope } from "#lib/scope.ts";
import { billsPath } from "#lib/payments/bills/search.ts";
import type { ListedPayment } from "#lib/payments/queries.ts";
import {
  isUnfilteredPayments,
  PAYMENT_FILE_FORMATS,
  paymentsFilePath,
  paymentsPath,
  type PaymentSearch,
} from "#lib/payments/search.ts";
import { moneyToCheckPath } from "#lib/payments/tasks/rules.ts";
import {
  NewPayments,
  PaymentRows,
  PaymentTotals,
  StatementLink,
  type TotalsByCurrency,
} from "./payment-rows.tsx";
import { PaymentFilter } from "./payment-filter.tsx";

interface PaymentListProps {
  scope: Scope;
  search: PaymentSearch;
  page: TotalsByCurrency & {
    payments: ListedPayment[];
    newest: string;
    next: string | null;
    buyer: string | null;
  };
  mayExport: boolean;
  /** The number of decisions about money; null if the service keeps no list of them. */
  toCheck: number | null;
}

export function PaymentList({ scope, search, page, mayExport, toCheck }: PaymentListProps) {
  const t = useTranslations("payments");
  const tToCheck = useTranslations("moneyToCheck");
  const { payments, next, newest, totals, unknown, buyer } = page;
  return (
    <>
      <PageHeader
        title={t("title")}
        action={
          <div className="flex flex-wrap gap-2 max-md:w-full">
            {toCheck !== null && (
              <PageLink
                href={moneyToCheckPath(scope)}
                className={buttonClass("secondary", "max-md:flex-1")}
              >
                {tToCheck("link", { count: toCheck })}
              </PageLink>
            )}
            {mayExport && payments.length > 0 && <Downloads {...{ scope, search }} />}
          </div>
        }
      />
      <p className="mb-4 max-w-2xl text-pretty text-muted">
        {t("intro")} <StatementLink />{" "}
        <PageLink href={billsPath(scope)} className="link">
          {t("bills")}
        </PageLink>
      </p>
      {(payments.length > 0 || search.before !== null || !isUnfilteredPayments(search)) && (
        // Remounts for another URL, so that Back shows the current filters.
        <PaymentFilter key={paymentsPath(scope, search)} {...{ scope, search }} />
      )}
      {search.customer !== null && (
        <p className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium">
            {t("ofBuyer", { name: buyer ?? search.customer })}
          </span>
          <PageLink
            href={paymentsPath(scope, { ...search, customer: null, before: null })}
            className="link"
          >
            {t("noMatch.all")}
          </PageLink>
        </p>
      )}
      {search.before === null && (
        <NewPayments isEmpty={payments.length === 0} {...{ search, newest }} />
      )}
      <KeysetList
        before={search.before}
        next={next}
        pathTo={(before) => paymentsPath(scope, { ...search, before })}
        isEmpty={payments.length === 0}
        empty={{
          icon: BadgeCheck,
          title: t("empty.title"),
          text: t("empty.text"),
          action: (
            <PageLink
              href={scopePath(scope, "/settings/webhooks/deliveries/received")}
              className={buttonClass()}
            >
              {t("empty.receiver")}
            </PageLink>
          ),
        }}
        noMatch={
          isUnfilteredPayments(search)
            ? null
            : {
                title: t("noMatch.title"),
                text: t("noMatch.text"),
                all: t("noMatch.all"),
                allPath: paymentsPath(scope),
              }
        }
      >
        <PaymentTotals {...{ totals, unknown }} />
        <PaymentRows payments={payments} />
      </KeysetList>
    </>
  );
}

function Downloads({ scope, search }: { scope: Scope; search: PaymentSearch }) {
  const t = useTranslations("payments.download");
  return (
    <div className="flex flex-wrap gap-2 max-md:grow">
      {PAYMENT_FILE_FORMATS.map((format) => (
        <DownloadLink
          key={format}
          href={paymentsFilePath(scope, search, format)}
          className="max-md:flex-1"
        >
          {t(format)}
        </DownloadLink>
      ))}
    </div>
  );
}
