import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Nothing } from "#components/ui/nothing.tsx";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import type { ReminderResults } from "#lib/reports/reminders/queries.ts";
import { MANY, WITHIN, type Grouped } from "#lib/reports/reminders/rules.ts";
import { CHANNELS } from "#lib/collection/rules.ts";
import { ShareOf } from "./result-sums.tsx";

/** Results by the last reminder's channel, by number of reminders and by member. */
export function ResultGroups({ results }: { results: ReminderResults }) {
  const t = useTranslations("reminding.groups");
  const tOfDesk = useTranslations("collection.channel");
  const nameChannel = (key: string) => {
    const channel = CHANNELS.find((one) => one === key);
    return channel ? tOfDesk(channel) : t("noChannel");
  };
  if (results.reminded.count === 0) return null;
  return (
    <>
      <GroupCard
        name="channel"
        rows={results.channels}
        nameOf={({ key }) => nameChannel(key)}
      />
      <GroupCard
        name="count"
        rows={results.counts}
        nameOf={({ key }) =>
          Number(key) === MANY
            ? t("countOrMore", { count: MANY })
            : t("reminders", { count: Number(key) })
        }
      />
      {results.people && (
        <GroupCard name="person" rows={results.people} nameOf={({ name }) => name} />
      )}
    </>
  );
}

interface GroupCardProps {
  name: "channel" | "count" | "person";
  rows: Grouped[];
  nameOf: (row: Grouped) => string;
}

const CELL = "px-2 py-2 text-right whitespace-nowrap";

function GroupCard({ name, rows, nameOf }: GroupCardProps) {
  const t = useTranslations("reminding");
  const format = useFormat();
  return (
    <Card aria-labelledby={`${name}-title`} className="min-w-0 p-4 sm:p-5">
      <CardTitle id={`${name}-title`}>{t(`groups.${name}`)}</CardTitle>
      <ScrollArea label={t(`groups.${name}`)} className="mt-2 overflow-x-auto">
        <table className="w-full text-sm tabular-nums">
          <thead>
            <tr className="border-b text-xs text-muted">
              <th scope="col" className="px-2 py-2 text-left font-medium">
                {t(`heads.${name}`)}
              </th>
              <th scope="col" className={CELL}>
                {t("buyers")}
              </th>
              {WITHIN.map((days) => (
                <th key={days} scope="col" className={CELL}>
                  {t("heads.within", { count: days })}
                </th>
              ))}
              <th scope="col" className={CELL}>
                {t("median")}
              </th>
            </tr>
          </thead>
          <tbody className="divide-y">
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row" className="px-2 py-2 text-left font-normal">
                  {nameOf(row)}
                </th>
                <td className={CELL}>{format.count(row.outcomes.count)}</td>
                {WITHIN.map((days) => (
                  <td key={days} className={CELL}>
                    <ShareOf share={row.outcomes.within[days]} />
                  </td>
                ))}
                <td className={CELL}>
                  {row.outcomes.median_days === null ? (
                    <Nothing />
                  ) : (
                    t("medianDays", { count: row.outcomes.median_days })
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </Card>
  );
}
