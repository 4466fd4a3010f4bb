import { useTranslations } from "next-intl";
import { DaysChart } from "./days-chart.tsx";
import { CountLink, ReportCard, type ReportSummary, statusParts } from "./report-card.tsx";
import { CountChange, Headline } from "./headline.tsx";
import { useDays } from "./use-days.ts";
import { usePartialNote } from "./use-partial-note.ts";
import type { ReportPart, ReadyReport } from "./use-reports.ts";

const TONES = { active: "active", due: "due", ending: "ending" } as const;

export function SubscribersCard({ part }: { part: ReportPart<"subscribers"> }) {
  const t = useTranslations("reports.cards.subscribers");
  const tStates = useTranslations("reports.states");
  const note = usePartialNote("gap");
  const days = useDays();
  const say = (ready: ReadyReport<"subscribers">): ReportSummary => {
    const { figure } = ready;
    const names = statusParts.map((state) => tStates(state));
    return {
      body: (
        <>
          <Headline aside={<CountChange {...figure.active} />}>
            <CountLink {...figure.active} />
          </Headline>
          <DaysChart
            isLevel
            label={t("chart")}
            days={figure.days}
            lines={statusParts.map((state) => ({
              line: state,
              name: tStates(state),
              tone: TONES[state],
            }))}
          />
        </>
      ),
      rows: figure.active.rows,
      notes: [note(ready)],
      table: days.table(
        t("title"),
        names,
        figure.days.map(({ day, active, due, ending }) => ({
          day,
          counts: [active, due, ending],
        })),
      ),
    };
  };
  return <ReportCard {...{ part, say }} />;
}
