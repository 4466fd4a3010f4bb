import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { BarChart } from "#components/ui/charts/chart.tsx";
import { Nothing } from "#components/ui/nothing.tsx";
import type { Expected } from "#lib/reports/queries.ts";
import { ReportCard, CountLink, type ReportSummary } from "./report-card.tsx";
import { Headline } from "./headline.tsx";
import type { ReportPart, ReadyReport } from "./use-reports.ts";

interface ExpectedCardProps {
  part: ReportPart<"expected">;
  currency: string;
}

/** Revenue of upcoming billing dates, and the part that is likely to be paid in time. */
export function ExpectedCard({ part, currency }: ExpectedCardProps) {
  const t = useTranslations("reports.cards.expected");
  const tAll = useTranslations("reports");
  const tHeads = useTranslations("reports.heads");
  const format = useFormat();
  const say = ({ figure }: ReadyReport<"expected">): ReportSummary => {
    const spans = figure.horizons.map(({ days, subscriptions, currencies }) => {
      const own = currencies.find((one) => one.currency === currency);
      return {
        days,
        subscriptions,
        name: t("days", { days: format.count(days) }),
        amount: own?.amount ?? "0",
        likely: own ? own.likely : null,
        dates: own?.count ?? 0,
        isListPrice: own?.is_list_price ?? false,
      };
    });
    const [first] = spans;
    const isKnown = figure.observed.share !== null;
    const bars = [
      {
        name: t("all"),
        tone: "accent" as const,
        points: spans.map(({ amount }) => barOf(amount)),
      },
      {
        name: t("likely"),
        tone: "active" as const,
        points: spans.map(({ likely }) => barOf(likely ?? "0")),
      },
    ];
    function barOf(amount: string) {
      return {
        value: Number(amount),
        text: format.money(amount, currency),
        short: format.count(Math.round(Number(amount))),
      };
    }
    return {
      body: (
        <>
          <Headline
            aside={
              <span className="text-sm text-muted">
                {first && t("within", { span: first.name })}
              </span>
            }
          >
            {format.money(first?.amount ?? "0", currency)}
          </Headline>
          <p className="mb-2 text-sm text-muted">{describeShare(figure.observed)}</p>
          <BarChart
            label={t("chart")}
            labels={spans.map(({ name }) => ({ name, short: name }))}
            series={isKnown ? bars : bars.slice(0, 1)}
            formatValue={format.count}
          />
        </>
      ),
      rows: figure.horizons.at(-1)?.subscriptions.rows ?? null,
      notes: [
        spans.some(({ isListPrice }) => isListPrice) && tAll("listPrices"),
        figure.once > 0 && t("once", { count: figure.once }),
        figure.unpriced > 0 && t("unpriced", { count: figure.unpriced }),
      ],
      table: {
        label: t("title"),
        heads: [
          tHeads("within"),
          tHeads("subscriptions"),
          tHeads("billingDates"),
          tHeads("amount"),
          t("likely"),
        ],
        rows: spans.map((span) => ({
          key: String(span.days),
          cells: [
            span.name,
            <CountLink key="count" {...span.subscriptions} />,
            format.count(span.dates),
            format.money(span.amount, currency),
            span.likely === null ? (
              <Nothing key="likely" />
            ) : (
              format.money(span.likely, currency)
            ),
          ],
        })),
      },
    };
  };
  function describeShare({
    passed,
    share,
    needed,
    in_time,
    late,
    unpaid,
  }: Expected["observed"]) {
    if (share === null) return t("shareUnknown", { passed, needed });
    const percent = format.count(Math.round(Number(share) * 100));
    return t("share", { percent, passed, in_time, late, unpaid });
  }
  return <ReportCard {...{ part, say }} />;
}
