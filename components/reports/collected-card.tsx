import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { ReportCard, type ReportSummary } from "./report-card.tsx";
import { ScrolledTable } from "./report-table.tsx";
import { HeadlineChange, Headline, MoneyChange } from "./headline.tsx";
import { usePartialNote } from "./use-partial-note.ts";
import type { ReportPart, ReadyReport } from "./use-reports.ts";

interface CollectedCardProps {
  part: ReportPart<"collected">;
  currency: string;
}

const NONE = { payments: 0, amount: "0", fee: "0", net: "0", before: null };
const LINES = ["amount", "fee", "net"] as const;

export function CollectedCard({ part, currency }: CollectedCardProps) {
  const t = useTranslations("reports.cards.collected");
  const tHeads = useTranslations("reports.heads");
  const format = useFormat();
  const note = usePartialNote();
  const say = (ready: ReadyReport<"collected">): ReportSummary => {
    const { figure } = ready;
    const own = figure.currencies.find((one) => one.currency === currency) ?? NONE;
    const { payments, amount, before } = own;
    const unknown = <HeadlineChange key="before" before={null} direction="same" />;
    return {
      body: (
        <>
          <Headline
            aside={<MoneyChange {...{ amount, currency }} before={before && before.amount} />}
          >
            {format.money(amount, currency)}
          </Headline>
          <ScrolledTable
            table={{
              label: t("title"),
              heads: [tHeads("part"), tHeads("inPeriod"), tHeads("before")],
              rows: [
                {
                  key: "payments",
                  cells: [
                    t("lines.payments"),
                    format.count(payments),
                    before ? format.count(before.payments) : unknown,
                  ],
                },
                ...LINES.map((line) => ({
                  key: line,
                  cells: [
                    t(`lines.${line}`),
                    format.money(own[line], currency),
                    before ? format.money(before[line], currency) : unknown,
                  ],
                })),
              ],
            }}
          />
        </>
      ),
      rows: figure.subscriptions.rows,
      notes: [
        note(ready),
        figure.moved > 0 && t("moved", { count: figure.moved }),
        figure.unpriced > 0 && t("unpriced", { count: figure.unpriced }),
      ],
    };
  };
  return <ReportCard {...{ part, say }} />;
}
