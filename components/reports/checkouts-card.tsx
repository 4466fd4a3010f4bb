import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { BarChart } from "#components/ui/charts/chart.tsx";
import { CountLink, ReportCard, ListLink, type ReportSummary } from "./report-card.tsx";
import { HeadlineChange, CountChange, Headline } from "./headline.tsx";
import type { ReportPart, ReadyReport } from "./use-reports.ts";

const OUTCOMES = ["finished", "unpaid"] as const;

export function CheckoutsCard({ part }: { part: ReportPart<"checkouts"> }) {
  const t = useTranslations("reports.cards.checkouts");
  const tHeads = useTranslations("reports.heads");
  const format = useFormat();
  const say = ({ figure }: ReadyReport<"checkouts">): ReportSummary => {
    const { created, finished, waiting } = figure;
    const bars = OUTCOMES.map((outcome) => ({
      name: t(`outcomes.${outcome}`),
      counted: figure[outcome],
    }));
    const share = created.count > 0 ? Math.round((100 * finished.count) / created.count) : null;
    return {
      body: (
        <>
          <Headline aside={<CountChange {...created} />}>
            {t("created", { count: created.count })}
          </Headline>
          <p className="mb-2 min-h-5 text-sm text-muted">
            {share !== null && t("share", { percent: format.count(share) })}
          </p>
          <BarChart
            label={t("chart")}
            labels={bars.map(({ name }) => ({ name, short: name }))}
            series={[
              {
                name: t("number"),
                tone: "accent",
                points: bars.map(({ counted: { count } }) => ({
                  value: count,
                  text: format.count(count),
                })),
              },
            ]}
            formatValue={format.count}
          />
          <p className="mt-2 text-sm">
            <ListLink rows={waiting.rows ?? {}}>
              {t("waiting", { count: waiting.count })}
            </ListLink>
          </p>
        </>
      ),
      rows: created.rows,
      table: {
        label: t("title"),
        heads: [tHeads("checkouts"), tHeads("inPeriod"), tHeads("before")],
        rows: (["all", ...OUTCOMES] as const).map((outcome) => {
          const counted = outcome === "all" ? created : figure[outcome];
          return {
            key: outcome,
            cells: [
              t(`outcomes.${outcome}`),
              <CountLink key="count" {...counted} />,
              counted.before === null ? (
                <HeadlineChange key="before" before={null} direction="same" />
              ) : (
                format.count(counted.before)
              ),
            ],
          };
        }),
      },
    };
  };
  return <ReportCard {...{ part, say }} />;
}
