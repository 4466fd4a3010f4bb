import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { Nothing } from "#components/ui/nothing.tsx";
import { cn } from "#lib/cn.ts";
import { ReportCard, CountLink, type ReportSummary } from "./report-card.tsx";
import { ScrolledTable } from "./report-table.tsx";
import type { ReportPart, ReadyReport } from "./use-reports.ts";

/** A darker cell means that more remain; the cell's text has the share. */
const DEPTHS = ["bg-accent/5", "bg-accent/10", "bg-accent/15", "bg-accent/20", "bg-accent/25"];

export function RetentionCard({ part }: { part: ReportPart<"retention"> }) {
  const t = useTranslations("reports.cards.retention");
  const tHeads = useTranslations("reports.heads");
  const format = useFormat();
  const say = ({ figure: { months } }: ReadyReport<"retention">): ReportSummary => {
    const longest = Math.max(0, ...months.map(({ left }) => left.length));
    const later = Array.from({ length: longest }, (_month, at) => at);
    return {
      body: (
        <ScrolledTable
          none={t("none")}
          table={{
            label: t("title"),
            heads: [
              tHeads("month"),
              tHeads("begun"),
              ...later.map((at) => t("after", { months: at })),
            ],
            rows: months.map(({ month, begun, left, rows }) => ({
              key: month,
              cells: [
                format.month(month),
                <CountLink key="begun" count={begun} rows={rows} />,
                ...later.map((at) => (
                  <Left key={at} left={left[at]} begun={begun} isPast={at < left.length} />
                )),
              ],
            })),
          }}
        />
      ),
    };
  };
  return <ReportCard {...{ part, say }} isWide />;
}

interface LeftProps {
  left: number | null | undefined;
  begun: number;
  isPast: boolean;
}

function Left({ left, begun, isPast }: LeftProps) {
  const t = useTranslations("reports.cards.retention");
  const format = useFormat();
  if (!isPast) return null;
  if (left === null || left === undefined || begun === 0) return <Nothing />;
  const share = left / begun;
  const depth = Math.min(DEPTHS.length - 1, Math.floor(share * DEPTHS.length));
  return (
    <span className={cn("-mx-1 inline-block rounded px-2 py-0.5", DEPTHS[depth])}>
      {t("left", { percent: format.count(Math.round(share * 100)) })}
      <span className="sr-only"> {t("leftOf", { left, begun })}</span>
    </span>
  );
}
