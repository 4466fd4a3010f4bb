import { useTranslations } from "next-intl";
import { Day } from "#components/values/day.tsx";
import { useSeller } from "#components/context/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { calendarDay } from "#lib/format/format.ts";
import { CountLink, ReportCard, type ReportSummary, statusParts } from "./report-card.tsx";
import { ScrolledTable } from "./report-table.tsx";
import { Headline, MoneyChange } from "./headline.tsx";
import type { ReportPart, ReadyReport } from "./use-reports.ts";

interface RevenueCardProps {
  part: ReportPart<"revenue">;
  currency: string;
}

/** Monthly recurring revenue and its parts by status. */
export function RevenueCard({ part, currency }: RevenueCardProps) {
  const t = useTranslations("reports.cards.revenue");
  const tHeads = useTranslations("reports.heads");
  const tStates = useTranslations("reports.states");
  const format = useFormat();
  const { now, time_zone } = useSeller();
  const today = calendarDay(now, time_zone);
  const say = ({ figure, period }: ReadyReport<"revenue">): ReportSummary => {
    const own = figure.currencies.find((one) => one.currency === currency);
    const amount = own?.amount ?? "0";
    const rows = statusParts.map((state) => ({
      key: state,
      cells: [
        tStates(state),
        <CountLink key="count" {...figure[state]} />,
        format.money(own?.[state] ?? "0", currency),
      ],
    }));
    return {
      body: (
        <>
          <Headline
            aside={<MoneyChange {...{ amount, currency }} before={own ? own.start : null} />}
          >
            {format.money(amount, currency)}
          </Headline>
          <p className="mb-3 text-sm text-muted">
            {period.to === today
              ? t("now")
              : t.rich("at", { day: () => <Day iso={period.to} /> })}
          </p>
          <ScrolledTable
            table={{
              label: t("title"),
              heads: [tHeads("state"), tHeads("subscriptions"), tHeads("aMonth")],
              rows,
            }}
          />
        </>
      ),
      notes: [
        figure.currencies.length > 1 && t("currencies", { currency }),
        figure.estimated > 0 && t("estimated", { count: figure.estimated }),
        figure.unknown > 0 && t("unknown", { count: figure.unknown }),
      ],
    };
  };
  return <ReportCard {...{ part, say }} />;
}
