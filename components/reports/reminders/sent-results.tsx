import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import { ScrolledTable } from "#components/reports/report-table.tsx";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { useChannelName } from "#components/values/message-words.tsx";
import type { ScheduleResults } from "#contract/reminders.ts";
import { failureOf } from "#lib/failure.ts";
import { sentResultsQuery, type ResultDays } from "#lib/reports/reminders/queries.ts";
import { ResultLine, ShareOf } from "./result-sums.tsx";

/**
 * Messages sent by the schedule, and the payments that followed; renders nothing if the service has
 * none.
 */
export function SentResults({ days }: { days: ResultDays }) {
  const t = useTranslations("reminding.sent");
  const query = useQuery(sentResultsQuery(useScope(), days));
  if (query.data?.sent === null) return null;
  return (
    <Card aria-labelledby="sent-title" className="grid min-w-0 gap-2 p-4 sm:p-5">
      <CardTitle id="sent-title">{t("title")}</CardTitle>
      <p className="max-w-prose text-sm text-muted">{t("note")}</p>
      {query.data ? (
        <Results results={query.data.sent} />
      ) : query.error ? (
        <FailureLine failure={failureOf(query.error)} query={query} />
      ) : (
        <span aria-busy className="skeleton h-32" />
      )}
    </Card>
  );
}

function Results({ results }: { results: ScheduleResults }) {
  const t = useTranslations("reminding.sent");
  const format = useFormat();
  const channelName = useChannelName();
  const { channels, reminded, paid, paid_within } = results;
  if (channels.length === 0) return <p className="mt-2 text-muted">{t("none")}</p>;
  const table = {
    heads: [t("channel"), t("count"), t("delivered"), t("read"), t("failed")],
    rows: channels.map(({ channel, ...counts }) => ({
      key: channel ?? "none",
      cells: [
        channelName(channel),
        format.count(counts.sent),
        format.count(counts.delivered),
        format.count(counts.read),
        format.count(counts.failed),
      ],
    })),
  };
  return (
    <>
      <ScrolledTable label={t("title")} table={table} />
      {paid_within.length > 0 && (
        <dl className="divide-y">
          <ResultLine label={t("reminded")}>{format.count(reminded)}</ResultLine>
          <ResultLine label={t("paid")}>{format.count(paid)}</ResultLine>
          {paid_within.map(({ days, ...share }) => (
            <ResultLine key={days} label={t("within", { count: days })}>
              <ShareOf share={share} />
            </ResultLine>
          ))}
        </dl>
      )}
    </>
  );
}
