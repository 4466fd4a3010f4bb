import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { MonthlyStatement } from "#contract/payments.ts";
import { PageLink } from "#components/context/seller-context.tsx";
import { RefreshFailure } from "#components/forms/refresh-failure.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Card } from "#components/ui/card.tsx";
import { SelectField } from "#components/ui/forms/fields.tsx";
import { ChevronLeft, ChevronRight, ScrollText, Unplug } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { DownloadLink } from "#components/ui/download-link.tsx";
import { Day } from "#components/values/day.tsx";
import type { Format } from "#lib/format/format.ts";
import { accountName, type StatementPage } from "#lib/payments/statement/rules.ts";
import {
  BOOK_FORMATS,
  BOOK_SPANS,
  listedMonths,
  monthAfter,
  salesBookPath,
  STATEMENT_FORMATS,
  statementFilePath,
  statementPath,
  type StatementSearch,
} from "#lib/payments/statement/search.ts";
import { scopePath, type Scope } from "#lib/scope.ts";
import { StatementEntries } from "./statement-entries.tsx";

interface StatementViewProps {
  scope: Scope;
  search: StatementSearch;
  page: StatementPage;
  format: Format;
  mayExport: boolean;
}

/** A month of the ledger: totals, balances and entries. */
export function StatementView({ scope, search, page, format, mayExport }: StatementViewProps) {
  const t = useTranslations("statement");
  const { month, newest, statement } = page;
  if (statement === null)
    return (
      <>
        <PageHeader title={t("title")} />
        <StatePanel icon={Unplug} title={t("notOffered.title")} text={t("notOffered.text")} />
      </>
    );
  if ("kind" in statement)
    return (
      <>
        <PageHeader title={t("title")} />
        <RefreshFailure failure={statement} />
      </>
    );
  const { accounts, entries, next } = statement;
  const last = entries.at(-1);
  return (
    <>
      <PageHeader
        title={t("title")}
        aside={
          <PageLink href={scopePath(scope, "/payments")} className={LINK}>
            {t("back")}
          </PageLink>
        }
        action={mayExport && accounts.length > 0 && <Files {...{ scope, month }} />}
      />
      <p className="mb-4 max-w-2xl text-pretty text-muted print:hidden">{t("intro")}</p>
      <MonthForm {...{ scope, month, newest, format }} />
      <p className="mb-4 flex flex-wrap gap-x-3 gap-y-1">
        <span>
          {t.rich("period", {
            from: () => <Day iso={statement.from} />,
            to: () => <Day iso={new Date(Date.parse(statement.until) - 1).toISOString()} />,
          })}
        </span>
        {!statement.is_complete && <span className="text-muted">{t("incomplete")}</span>}
      </p>
      {accounts.length === 0 ? (
        <StatePanel icon={ScrollText} title={t("empty.title")} text={t("empty.text")} />
      ) : (
        <>
          <Totals {...{ statement, format }} />
          <Balances {...{ statement, format }} />
          {mayExport && <SalesBook {...{ scope, month }} />}
          {entries.length > 0 && <StatementEntries {...{ entries, format }} />}
        </>
      )}
      {(search.after !== null || next !== null) && (
        <nav
          aria-label={t("entries.title")}
          className="mt-3 flex justify-end gap-2 print:hidden"
        >
          {search.after !== null && (
            <PageLink href={statementPath(scope, { month })} className={buttonClass()}>
              {t("entries.first")}
            </PageLink>
          )}
          {next !== null && last && (
            <PageLink
              href={statementPath(scope, { month, after: String(last.id) })}
              className={buttonClass()}
            >
              {t("entries.next")}
            </PageLink>
          )}
        </nav>
      )}
    </>
  );
}

function Files({ scope, month }: { scope: Scope; month: string }) {
  const t = useTranslations("statement.download");
  return (
    <div className="flex flex-wrap gap-2 max-md:w-full print:hidden">
      {STATEMENT_FORMATS.map((format) => (
        <DownloadLink
          key={format}
          href={statementFilePath(scope, { month, format })}
          className="max-md:flex-1"
        >
          {t(format)}
        </DownloadLink>
      ))}
    </div>
  );
}

/** The bills of the month, or of its fiscal year, as files. */
function SalesBook({ scope, month }: { scope: Scope; month: string }) {
  const t = useTranslations("statement.book");
  return (
    <section aria-labelledby="book" className="mb-6 print:hidden">
      <h2 id="book" className="mb-2 font-semibold">
        {t("title")}
      </h2>
      <p className="mb-2 max-w-2xl text-pretty text-muted">{t("intro")}</p>
      <ul className="flex flex-wrap gap-2">
        {BOOK_SPANS.flatMap((span) =>
          BOOK_FORMATS.map((book) => (
            <li key={`${span} ${book}`}>
              <DownloadLink href={salesBookPath(scope, { month, span, book })}>
                {t(`files.${span}`, { format: book.toUpperCase() })}
              </DownloadLink>
            </li>
          )),
        )}
      </ul>
    </section>
  );
}

type MonthFormProps = { month: string; newest: string } & Pick<
  StatementViewProps,
  "scope" | "format"
>;

/** A plain form, which needs no script. */
function MonthForm({ scope, month, newest, format }: MonthFormProps) {
  const t = useTranslations("statement");
  const step = (months: 1 | -1, label: string, icon: ReactNode) => (
    <PageLink
      href={statementPath(scope, { month: monthAfter(month, months) })}
      className={buttonClass("secondary", "size-9 p-0 max-md:size-11")}
      aria-label={label}
    >
      {icon}
    </PageLink>
  );
  return (
    <form
      action={statementPath(scope)}
      className="mb-4 flex flex-wrap items-end gap-2 print:hidden"
    >
      {step(-1, t("earlier"), <ChevronLeft aria-hidden className="size-4" />)}
      <SelectField
        key={month}
        id="month"
        name="month"
        label={t("month")}
        defaultValue={month}
        options={listedMonths(newest, month).map((one) => [one, format.month(one)])}
      />
      <Button type="submit" look="secondary" className="h-9 max-md:h-11">
        {t("show")}
      </Button>
      {month < newest && step(1, t("later"), <ChevronRight aria-hidden className="size-4" />)}
    </form>
  );
}

interface PartProps {
  statement: MonthlyStatement;
  format: Format;
}

function Totals({ statement: { totals }, format }: PartProps) {
  const t = useTranslations("statement.totals");
  return (
    <section aria-label={t("label")} className="mb-6 grid gap-2">
      {totals.map(({ currency, ...total }) => {
        const sums = [
          ["payments", format.count(total.payments)],
          ["paid", format.money(total.paid, currency)],
          ["takenBack", format.money(total.taken_back, currency)],
          ["givenBack", format.money(total.given_back, currency)],
          // An older service books no disputes.
          ...(total.disputed
            ? [["disputed", format.money(total.disputed, currency)] as const]
            : []),
          ["providerFee", format.money(total.provider_fee, currency)],
          ["serviceFee", format.money(total.service_fee, currency)],
          ["net", format.money(total.net, currency)],
        ] as const;
        return (
          <Card key={currency} className="px-4 py-3">
            <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4 xl:grid-cols-8">
              {sums.map(([name, value]) => (
                <div key={name}>
                  <dt className="text-sm text-muted">{t(name)}</dt>
                  <dd className="font-semibold tabular-nums">{value}</dd>
                </div>
              ))}
            </dl>
          </Card>
        );
      })}
    </section>
  );
}

const LINK = "rounded text-accent underline underline-offset-2";
const SIDES = ["opening", "debit", "credit", "closing"] as const;

function Balances({ statement: { accounts }, format }: PartProps) {
  const t = useTranslations("statement");
  const balance = (text: string, currency: string) => {
    const amount = format.money(text.replace(/^-/, ""), currency);
    if (text === "0.00") return amount;
    return t(text.startsWith("-") ? "balances.inCredit" : "balances.inDebit", { amount });
  };
  return (
    <section aria-labelledby="balances" className="mb-6">
      <h2 id="balances" className="mb-2 font-semibold">
        {t("balances.title")}
      </h2>
      <Frame>
        <table role="table" className="statement-table" aria-labelledby="balances">
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" scope="col">
                {t("balances.account")}
              </th>
              {SIDES.map((side) => (
                <th key={side} role="columnheader" scope="col">
                  {t(`balances.${side}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {accounts.map((row) => (
              <tr
                key={`${row.account} ${row.provider} ${row.account_id} ${row.currency}`}
                role="row"
              >
                <th role="rowheader" scope="row">
                  {accountName(t, row)}
                </th>
                {SIDES.map((side) => (
                  <td key={side} role="cell" data-label={t(`balances.${side}`)}>
                    {side === "debit" || side === "credit"
                      ? format.money(row[side], row.currency)
                      : balance(row[side], row.currency)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Frame>
    </section>
  );
}

const Frame = ({ children }: { children: ReactNode }) => (
  <div className="overflow-x-auto rounded-md border bg-surface shadow-card">{children}</div>
);
