import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useFormat } from "#components/context/seller-context.tsx";
import { ScrolledTable } from "#components/reports/report-table.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { MissingValue } from "#components/ui/detail-row.tsx";
import type { ReminderResults } from "#lib/reports/reminders/queries.ts";
import {
  type OutcomeGroup,
  MANY_REMINDERS,
  type PaidShare,
  type ReminderOutcomes,
  PAYMENT_WINDOWS,
} from "#lib/reports/reminders/rules.ts";
import { CHANNELS } from "#lib/collection/rules.ts";

/** Reminded and other buyers side by side, and promises. */
export function ResultSums({ results }: { results: ReminderResults }) {
  const t = useTranslations("reminding");
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-2">
        <OutcomesCard name="reminded" outcomes={results.reminded} />
        <OutcomesCard name="unreminded" outcomes={results.unreminded} />
      </div>
      <p className="max-w-prose text-sm text-muted">{t("noExperiment")}</p>
      <PromisesCard promises={results.promises} />
    </>
  );
}

function OutcomesCard({
  name,
  outcomes,
}: {
  name: "reminded" | "unreminded";
  outcomes: ReminderOutcomes;
}) {
  const t = useTranslations("reminding");
  const format = useFormat();
  const { count, paid, within, amounts } = outcomes;
  return (
    <Card aria-labelledby={`${name}-title`} className="p-4 sm:p-5">
      <CardTitle id={`${name}-title`}>{t(`${name}.title`)}</CardTitle>
      <p className="text-sm text-muted">{t(`${name}.note`)}</p>
      {count === 0 ? (
        <p className="mt-4 text-muted">{t(`${name}.none`)}</p>
      ) : (
        <dl className="mt-4 divide-y">
          <ResultLine label={t("buyers")}>{format.count(count)}</ResultLine>
          <ResultLine label={t("paid")}>{format.count(paid)}</ResultLine>
          {PAYMENT_WINDOWS.map((days) => (
            <ResultLine key={days} label={t(`${name}.within`, { count: days })}>
              <ShareOf share={within[days]} />
            </ResultLine>
          ))}
          <ResultLine label={t("median")}>
            <MedianDays outcomes={outcomes} />
          </ResultLine>
          <ResultLine label={t("money")}>
            {amounts.length === 0 ? (
              <MissingValue />
            ) : (
              amounts.map(({ amount, currency }) => format.money(amount, currency)).join(" · ")
            )}
          </ResultLine>
        </dl>
      )}
    </Card>
  );
}

function PromisesCard({ promises }: Pick<ReminderResults, "promises">) {
  const t = useTranslations("reminding.promises");
  const format = useFormat();
  const { kept, broken, open } = promises;
  return (
    <Card aria-labelledby="promises-title" className="p-4 sm:p-5">
      <CardTitle id="promises-title">{t("title")}</CardTitle>
      {kept + broken + open === 0 ? (
        <p className="mt-2 text-muted">{t("none")}</p>
      ) : (
        <dl className="mt-2 divide-y">
          <ResultLine label={t("kept")}>{format.count(kept)}</ResultLine>
          <ResultLine label={t("broken")}>{format.count(broken)}</ResultLine>
          <ResultLine label={t("open")}>{format.count(open)}</ResultLine>
        </dl>
      )}
    </Card>
  );
}

/** Results by the last reminder's channel, by number of reminders and by member. */
export function ResultGroups({ results }: { results: ReminderResults }) {
  const t = useTranslations("reminding.groups");
  const tChannel = useTranslations("collection.channel");
  const nameChannel = (key: string) => {
    const channel = CHANNELS.find((one) => one === key);
    return channel ? tChannel(channel) : t("noChannel");
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
          Number(key) === MANY_REMINDERS
            ? t("countOrMore", { count: MANY_REMINDERS })
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
  rows: OutcomeGroup[];
  nameOf: (row: OutcomeGroup) => string;
}

function GroupCard({ name, rows, nameOf }: GroupCardProps) {
  const t = useTranslations("reminding");
  const format = useFormat();
  const label = t(`groups.${name}`);
  const table = {
    heads: [
      t(`heads.${name}`),
      t("buyers"),
      ...PAYMENT_WINDOWS.map((days) => t("heads.within", { count: days })),
      t("median"),
    ],
    rows: rows.map((row) => ({
      key: row.key,
      cells: [
        nameOf(row),
        format.count(row.outcomes.count),
        ...PAYMENT_WINDOWS.map((days) => (
          <ShareOf key={days} share={row.outcomes.within[days]} />
        )),
        <MedianDays key="median" outcomes={row.outcomes} />,
      ],
    })),
  };
  return (
    <Card aria-labelledby={`${name}-title`} className="grid min-w-0 gap-2 p-4 sm:p-5">
      <CardTitle id={`${name}-title`}>{label}</CardTitle>
      <ScrolledTable {...{ label, table }} />
    </Card>
  );
}

function MedianDays({ outcomes: { median_days } }: { outcomes: ReminderOutcomes }) {
  const t = useTranslations("reminding");
  return median_days === null ? <MissingValue /> : t("medianDays", { count: median_days });
}

/** A figure with its label. */
export function ResultLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-2">
      <dt className="text-muted">{label}</dt>
      <dd className="text-right font-medium tabular-nums">{children}</dd>
    </div>
  );
}

/** A share such as "4 of 9"; a dash while no buyer's time to pay is over. */
export function ShareOf({ share: { paid, of } }: { share: PaidShare }) {
  const t = useTranslations("reminding");
  const format = useFormat();
  if (of === 0) return <MissingValue />;
  return t("share", { paid: format.count(paid), of: format.count(of) });
}
