import { useTranslations } from "next-intl";
import type { MonthlyStatement } from "#contract/payments.ts";
import { ScopedLink } from "#components/context/seller-context.tsx";
import { Card } from "#components/ui/card.tsx";
import { Moment } from "#components/values/day.tsx";
import type { Format } from "#lib/format/format.ts";
import { accountName } from "#lib/payments/statement/rules.ts";

interface StatementEntriesProps {
  entries: MonthlyStatement["entries"];
  format: Format;
}

/** Ledger entries with their debits and credits. */
export function StatementEntries({ entries, format }: StatementEntriesProps) {
  const t = useTranslations("statement");
  const money = (amount: string, currency: string) =>
    amount === "0.00" ? null : format.money(amount, currency);
  return (
    <section aria-labelledby="entries">
      <h2 id="entries" className="mb-2 font-semibold">
        {t("entries.title")}
      </h2>
      <ol className="grid gap-2">
        {entries.map(
          ({ id, kind, booked_at, full_name, subscription_id, reference, lines }) => (
            <li key={id}>
              <Card className="grid gap-x-6 gap-y-2 px-4 py-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
                <div className="min-w-0">
                  <p className="font-medium">{t(`kinds.${kind}` as "kinds.payment")}</p>
                  <p className="flex flex-wrap gap-x-2 text-sm text-muted">
                    <Moment iso={booked_at} />
                    <ScopedLink
                      href={`/subscriptions/${encodeURIComponent(subscription_id)}`}
                      className="rounded text-accent underline underline-offset-2"
                    >
                      {full_name}
                    </ScopedLink>
                  </p>
                  {reference && (
                    <p className="text-sm break-words text-muted">
                      {t("entries.reference", { reference })}
                    </p>
                  )}
                </div>
                <table className="statement-lines">
                  <thead className="sr-only">
                    <tr>
                      <th scope="col">{t("entries.account")}</th>
                      <th scope="col">{t("entries.debit")}</th>
                      <th scope="col">{t("entries.credit")}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {lines.map((line, at) => (
                      <tr key={at}>
                        <th scope="row">{accountName(t, line)}</th>
                        <td data-side={t("entries.debit")}>
                          {money(line.debit, line.currency)}
                        </td>
                        <td data-side={t("entries.credit")}>
                          {money(line.credit, line.currency)}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Card>
            </li>
          ),
        )}
      </ol>
    </section>
  );
}
