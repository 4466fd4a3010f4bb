import { useTranslations } from "next-intl";
import { DaysChart } from "./days-chart.tsx";
import { CountLink, ReportCard, type ReportSummary } from "./report-card.tsx";
import { CountChange } from "./headline.tsx";
import { useDays } from "./use-days.ts";
import { usePartialNote } from "./use-partial-note.ts";
import type { ReportPart, ReadyReport } from "./use-reports.ts";

const LINES = ["begun", "lost", "saved"] as const;
const TONES = { begun: "active", lost: "due", saved: "accent" } as const;
/** The parts of each line, or what it is compared with. */
const PARTS = {
  begun: ["created"],
  lost: ["cancelled", "inactive"],
  saved: ["resumed", "paid_when_due"],
} as const;

export function MovementCard({ part }: { part: ReportPart<"movement"> }) {
  const t = useTranslations("reports.cards.movement");
  const note = usePartialNote();
  const days = useDays();
  const say = (ready: ReadyReport<"movement">): ReportSummary => {
    const { figure } = ready;
    return {
      body: (
        <>
          <dl className="mb-3 grid gap-x-4 gap-y-3 sm:grid-cols-3">
            {LINES.map((line) => (
              <div key={line}>
                <dt className="text-sm text-muted">{t(`lines.${line}`)}</dt>
                <dd>
                  <span className="mr-2 text-2xl font-semibold tabular-nums">
                    <CountLink {...figure[line]} />
                  </span>
                  <CountChange {...figure[line]} />
                </dd>
                {PARTS[line].map((move) => (
                  <dd key={move} className="flex gap-1.5 text-sm text-muted tabular-nums">
                    <span>{t(`moves.${move}`)}</span> <CountLink {...figure[move]} />
                  </dd>
                ))}
              </div>
            ))}
          </dl>
          <DaysChart
            label={t("chart")}
            days={figure.days}
            lines={LINES.map((line) => ({
              line,
              name: t(`lines.${line}`),
              tone: TONES[line],
            }))}
          />
        </>
      ),
      rows: figure.created.rows,
      notes: [note(ready)],
      table: days.table(
        t("title"),
        [t("moves.created"), ...LINES.map((line) => t(`lines.${line}`))],
        figure.days.map(({ day, created, begun, lost, saved }) => ({
          day,
          counts: [created, begun, lost, saved],
        })),
      ),
    };
  };
  return <ReportCard {...{ part, say }} isWide />;
}
