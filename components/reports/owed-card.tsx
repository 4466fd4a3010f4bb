import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { BarChart } from "#components/ui/charts/chart.tsx";
import { AGES } from "#lib/reports/rules.ts";
import { ReportCard, CountLink, type ReportSummary } from "./report-card.tsx";
import { Headline, MoneyChange } from "./headline.tsx";
import type { ReportPart, ReadyReport } from "./use-reports.ts";

interface OwedCardProps {
  part: ReportPart<"owed">;
  currency: string;
}

/** Unpaid and kept debts by age. */
export function OwedCard({ part, currency }: OwedCardProps) {
  const t = useTranslations("reports.cards.owed");
  const tAll = useTranslations("reports");
  const tHeads = useTranslations("reports.heads");
  const format = useFormat();
  const say = ({ figure }: ReadyReport<"owed">): ReportSummary => {
    const own = figure.currencies.find((one) => one.currency === currency);
    const amount = own?.amount ?? "0";
    const ages = AGES.map((age) => ({
      ...(own?.ages.find((one) => one.age === age) ?? { count: 0, amount: "0", rows: null }),
      age,
      name: tAll(`cards.owed.ages.${age}`),
    }));
    return {
      body: (
        <>
          <Headline
            aside={<MoneyChange {...{ amount, currency }} before={own ? own.start : null} />}
          >
            {format.money(amount, currency)}
          </Headline>
          <p className="mb-2 text-sm text-muted">
            {t("subscriptions", { count: own?.count ?? 0 })}
          </p>
          <BarChart
            label={t("chart")}
            labels={ages.map(({ age, name }) => ({
              name,
              short: tAll(`cards.owed.short.${age}`),
            }))}
            series={[
              {
                name: t("amount"),
                tone: "due",
                points: ages.map((one) => ({
                  value: Number(one.amount),
                  text: format.money(one.amount, currency),
                  short: format.count(Math.round(Number(one.amount))),
                })),
              },
            ]}
            formatValue={format.count}
          />
        </>
      ),
      rows: figure.due.rows,
      notes: [
        own?.is_list_price === true && tAll("listPrices"),
        figure.kept > 0 && t("kept", { count: figure.kept }),
        figure.undated > 0 && t("undated", { count: figure.undated }),
        figure.unpriced > 0 && t("unpriced", { count: figure.unpriced }),
      ],
      table: {
        label: t("title"),
        heads: [tHeads("age"), tHeads("subscriptions"), tHeads("amount")],
        rows: ages.map((one) => ({
          key: one.age,
          cells: [
            one.name,
            <CountLink key="count" count={one.count} rows={one.rows} />,
            format.money(one.amount, currency),
          ],
        })),
      },
    };
  };
  return <ReportCard {...{ part, say }} />;
}
