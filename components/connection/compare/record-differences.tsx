import { useTranslations } from "next-intl";
import Link from "next/link";
import { useScope } from "#components/context/seller-context.tsx";
import { Nothing } from "#components/ui/nothing.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { DIFFERING, type FieldDifference } from "#lib/search-index/compare/differences.ts";
import type { Comparison, DifferingRecord } from "#lib/search-index/compare/queries.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";
import { isNamedField } from "./field-names.ts";
import { FindingLine } from "./finding-line.tsx";

/** The subscriptions that differ between the billing service and the index. */
export function RecordDifferences({ comparison }: { comparison: Comparison }) {
  const t = useTranslations("compare.records");
  const format = useFormat();
  const { differences, by_state, compared, ended_at } = comparison;
  const counted = (count: number) => ({ count, number: format.count(count) });
  const differing = DIFFERING.reduce((sum, state) => sum + (by_state[state] ?? 0), 0);
  const uncompared = differences.count - differing;
  const hidden = differences.count - differences.shown.length;
  const isGood = differences.count === 0;
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
          {differences.shown.map((record) => (
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
        <Link
          href={subscriptionPath(useScope(), subscription_id)}
          className="text-accent underline"
        >
          {buyer ?? subscription_id}
        </Link>
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
  return (
    <div className="grid gap-x-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="text-muted">
        {isNamedField(field) ? t(`fields.${field.replaceAll(".", "_") as "status"}`) : field}
      </dt>
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
  text === null ? <Nothing /> : <strong className="font-medium tabular-nums">“{text}”</strong>;
