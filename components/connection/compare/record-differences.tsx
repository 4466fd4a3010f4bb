import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Nothing } from "#components/ui/nothing.tsx";
import type { DifferingRecord } from "#lib/search-index/compare/queries.ts";
import { WRONG, type FieldDifference } from "#lib/search-index/compare/differences.ts";
import type { ResultProps } from "#components/reconciliation/check-result.tsx";
import { isKnownField } from "./field-names.ts";
import { Named, RecordLink } from "#components/reconciliation/named.tsx";

/** Records that do not say the same at the service and in the copy, and what puts the copy right. */
export function RecordDifferences({ check, drive, mayRepair }: ResultProps) {
  const t = useTranslations("reconciliation.records");
  const format = useFormat();
  const { differences, by_state, report, compared, ended_at } = check;
  const wrong = WRONG.reduce((sum, state) => sum + (by_state[state] ?? 0), 0);
  const repaired = report.repaired ?? 0;
  const counted = (count: number) => ({ count, records: format.count(count) });
  const rest = differences.count - wrong;
  const told = [
    wrong > 0 && t("differ", counted(wrong)),
    rest > 0 && t("uncompared", counted(rest)),
  ];
  return (
    <Card className="p-4 sm:p-5">
      <CardTitle>{t("title")}</CardTitle>
      {repaired > 0 && <p className="mt-1">{t("repaired", counted(repaired))}</p>}
      <Named
        found={differences}
        none={ended_at === null ? t("soFar") : t("same", counted(compared))}
        text={told.filter(Boolean).join(" ")}
        keyOf={(one) => one.subscription_id}
      >
        {(one) => <Record record={one} />}
      </Named>
      {mayRepair && ended_at !== null && (
        <div className="mt-4">
          <p className="mb-2 text-sm text-muted">{t("how")}</p>
          <div className="flex flex-wrap gap-2">
            {wrong > 0 && (
              <Button
                look="primary"
                isPending={drive.isRepairing}
                onClick={() => void drive.repair(check.id, "records")}
              >
                {t("readAgain")}
              </Button>
            )}
            <Button
              isPending={drive.isRepairing}
              onClick={() => void drive.repair(check.id, "everything")}
            >
              {t("walkAgain")}
            </Button>
          </div>
        </div>
      )}
    </Card>
  );
}

function Record({ record }: { record: DifferingRecord }) {
  const t = useTranslations("reconciliation.records");
  const { subscription_id, buyer, state, fields } = record;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <RecordLink id={subscription_id}>{buyer}</RecordLink>
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

function Field({ field, service, copy }: FieldDifference) {
  const t = useTranslations("reconciliation");
  return (
    <div className="grid gap-x-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="text-muted">
        {isKnownField(field) ? t(`fields.${field.replaceAll(".", "_") as "status"}`) : field}
      </dt>
      <dd>
        {t.rich("records.values", {
          service: () => <Value text={service} />,
          copy: () => <Value text={copy} />,
        })}
      </dd>
    </div>
  );
}

const Value = ({ text }: { text: string | null }) =>
  text === null ? <Nothing /> : <strong className="font-medium tabular-nums">“{text}”</strong>;
