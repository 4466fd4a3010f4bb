import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button.tsx";
import { Moment } from "#components/values/day.tsx";
import { PageLink, useFormat, useScope } from "#components/context/seller-context.tsx";
import {
  type Comparison,
  DIFFERING_STATES,
  type DifferingRecord,
  isCountDifferent,
  type FieldDifference,
} from "#lib/search-index/compare/differences.ts";
import { MissingValue } from "#components/ui/detail-row.tsx";
import { subscriptionPath } from "#lib/subscriptions/search.ts";
import { CountTable, FindingLine } from "./count-table.tsx";

interface CompareResultProps {
  comparison: Comparison;
  /** Rebuilds the index; null if the user may not, or while a comparison is unfinished. */
  rebuild: { run: () => void; isPending: boolean } | null;
}

export function CompareResult({ comparison, rebuild }: CompareResultProps) {
  const t = useTranslations("compare.result");
  const format = useFormat();
  const { report, reach, compared, started_by, started_at, ended_at, differences } = comparison;
  const { counts = [], one_time = 0, as_of } = report;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-sm text-muted">
        {t.rich(ended_at ? "ended" : "unfinished", {
          at: () => <Moment iso={ended_at ?? started_at} />,
          compared: format.count(compared),
          count: compared,
          reach,
        })}
        {started_by !== null && ` ${t("by", { name: started_by })}`}
        {as_of && <> {t.rich("asOf", { at: () => <Moment iso={as_of} /> })}</>}
      </p>
      <CountTable counts={counts} oneTime={one_time} />
      <RecordDifferences comparison={comparison} />
      {rebuild && (differences.length > 0 || counts.some(isCountDifferent)) && (
        <div>
          <p className="mb-2 text-sm text-muted">{t("rebuildText")}</p>
          <Button look="primary" isPending={rebuild.isPending} onClick={rebuild.run}>
            {t("rebuild")}
          </Button>
        </div>
      )}
    </div>
  );
}

function RecordDifferences({ comparison }: { comparison: Comparison }) {
  const t = useTranslations("compare.records");
  const format = useFormat();
  const { differences, by_state, compared, ended_at } = comparison;
  const counted = (count: number) => ({ count, number: format.count(count) });
  const differing = DIFFERING_STATES.reduce((sum, state) => sum + (by_state[state] ?? 0), 0);
  const uncompared = (by_state.unread ?? 0) + (by_state.moving ?? 0);
  const hidden = differing + uncompared - differences.length;
  const isGood = differences.length === 0;
  const found = [
    differing > 0 && t("differ", counted(differing)),
    uncompared > 0 && t("uncompared", counted(uncompared)),
  ];
  const none = ended_at === null ? t("noneSoFar") : t("same", counted(compared));
  return (
    <section aria-labelledby="compared-records">
      <h4 id="compared-records" className="font-medium">
        {t("title")}
      </h4>
      <FindingLine isGood={isGood}>
        {isGood ? none : found.filter(Boolean).join(" ")}
      </FindingLine>
      {!isGood && (
        <ul className="mt-2 divide-y border-y">
          {differences.map((record) => (
            <li key={record.subscription_id} className="py-2 wrap-anywhere">
              <DifferingRecordLine record={record} />
            </li>
          ))}
        </ul>
      )}
      {hidden > 0 && <p className="mt-2 text-sm text-muted">{t("more", counted(hidden))}</p>}
    </section>
  );
}

function DifferingRecordLine({ record }: { record: DifferingRecord }) {
  const t = useTranslations("compare.records");
  const { subscription_id, buyer, state, fields } = record;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <PageLink
          href={subscriptionPath(useScope(), subscription_id)}
          className="text-accent underline"
        >
          {buyer ?? subscription_id}
        </PageLink>
        <span>{t(`states.${state}`)}</span>
      </p>
      {fields.length > 0 && (
        <dl className="mt-1 grid gap-y-1 text-sm">
          {fields.map((field) => (
            <Field key={field.field} {...field} />
          ))}
        </dl>
      )}
    </>
  );
}

function Field({ field, service, index }: FieldDifference) {
  const t = useTranslations("compare");
  // A field that a newer service added has no translated name.
  const name = `fields.${field.replaceAll(".", "_") as "status"}` as const;
  return (
    <div className="grid gap-x-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="text-muted">{t.has(name) ? t(name) : field}</dt>
      <dd>
        {t.rich("records.values", {
          service: () => <Value text={service} />,
          index: () => <Value text={index} />,
        })}
      </dd>
    </div>
  );
}

const Value = ({ text }: { text: string | null }) =>
  text === null ? (
    <MissingValue />
  ) : (
    <strong className="font-medium tabular-nums">“{text}”</strong>
  );
