import { useTranslations } from "next-intl";
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { StatementOutcome } from "#contract/names.ts";
import { ScopedLink, useFormat } from "#components/context/seller-context.tsx";
import { Checkbox } from "#components/ui/forms/fields.tsx";
import { Button } from "#components/ui/button.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { CircleCheck, TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import {
  COMPARED_COUNTS,
  isDifferent,
  type StatementCheck,
  type StatementDifference,
} from "#lib/payments/portal/queries.ts";

/** The most differences, and the most rows, that are listed one by one. */
const [MOST_SHOWN, MOST_ROWS] = [100, 10];

interface ResultProps {
  check: StatementCheck;
  compared: NonNullable<StatementCheck["compared"]>;
  isPending: boolean;
  /** The form that assigns the columns again. */
  columns: ReactNode;
  onConfirm: (takesUnknown: boolean) => void;
  onOther: () => void;
}

/** The differences between a statement and the records; nothing is stored until it is confirmed. */
export function StatementResult({
  check,
  compared,
  isPending,
  columns,
  onConfirm,
  onOther,
}: ResultProps) {
  const t = useTranslations("payAccounts.statement");
  const tOfCounts = useTranslations("payAccounts.comparison");
  const format = useFormat();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const [takesUnknown, setTakesUnknown] = useState(true);
  const { covers, leftOut, isGuessed } = check;
  const { results } = compared;
  const unknown = results.filter(isUnknown).length;
  const rows = leftOut.slice(0, MOST_ROWS).map(({ row }) => row);
  return (
    <div className="grid gap-3">
      <h3 ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {t("result")}
      </h3>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 tabular-nums">
        {COMPARED_COUNTS.filter((each) => compared[each] > 0).map((each) => (
          <li key={each}>{tOfCounts(each, { count: compared[each] })}</li>
        ))}
      </ul>
      <div className="grid gap-1 text-sm text-pretty text-muted">
        <p>
          {covers
            ? t("covers", {
                from: format.dateTime(covers.from),
                to: format.dateTime(covers.to),
              })
            : t("uncovered")}
        </p>
        {leftOut.length > 0 && (
          <p>
            {t("leftOut", {
              count: leftOut.length,
              rows: rows.join(", ") + (leftOut.length > rows.length ? " …" : ""),
            })}
          </p>
        )}
      </div>
      {isGuessed && (
        <Notice look="warning" icon={TriangleAlert}>
          <p>{t("guessed")}</p>
        </Notice>
      )}
      {results.length === 0 ? (
        <Notice icon={CircleCheck}>
          <p className="font-medium">{t("agrees")}</p>
        </Notice>
      ) : (
        <Differences results={results} />
      )}
      <Disclosure title={t("change")}>
        <div className="mt-2">{columns}</div>
      </Disclosure>
      {unknown > 0 && (
        <Checkbox
          checked={takesUnknown}
          onChange={({ target }) => setTakesUnknown(target.checked)}
          label={t("takesUnknown", { count: unknown })}
          hint={t("takesUnknownHint")}
        />
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onOther} disabled={isPending}>
          {t("other")}
        </Button>
        <Button look="primary" isPending={isPending} onClick={() => onConfirm(takesUnknown)}>
          {t(isDifferent(compared) ? "confirm" : "keep")}
        </Button>
      </div>
    </div>
  );
}

const isUnknown = ({ outcome, subscription_id }: StatementDifference) =>
  outcome === "statement_only" && subscription_id === null;

function Differences({ results }: { results: StatementDifference[] }) {
  const t = useTranslations("payAccounts.statement");
  const shown = results.slice(0, MOST_SHOWN);
  return (
    <section aria-label={t("differences")}>
      <ul className="divide-y rounded-md border">
        {shown.map((each, at) => (
          <Difference key={at} difference={each} />
        ))}
      </ul>
      {shown.length < results.length && (
        <p className="mt-2 text-sm text-muted">
          {t("more", { count: results.length - shown.length })}
        </p>
      )}
    </section>
  );
}

function Difference({ difference }: { difference: StatementDifference }) {
  const t = useTranslations("payAccounts.statement");
  const { money } = useFormat();
  const { row, outcome, reference, subscription_id } = difference;
  const sum = (amount: string | null, currency: string | null) =>
    amount !== null && currency !== null ? money(amount, currency) : "–";
  const here = sum(difference.amount, difference.currency);
  const there = sum(difference.answered_amount, difference.answered_currency);
  return (
    <li className="grid gap-x-4 gap-y-1 px-3 py-2 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="font-medium">
          {t(`outcomes.${outcome as StatementOutcome}`)}
          {row !== null && (
            <span className="font-normal text-muted tabular-nums">
              {" "}
              · {t("row")} {row}
            </span>
          )}
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {subscription_id === null ? (
            reference
          ) : (
            <ScopedLink href={`/subscriptions/${subscription_id}`} className="link">
              {reference}
            </ScopedLink>
          )}
        </p>
      </div>
      <dl className="flex gap-4 text-sm tabular-nums sm:text-right">
        <div>
          <dt className="text-muted">{t("here")}</dt>
          <dd>{isUnknown(difference) ? t("unknownHere") : here}</dd>
        </div>
        <div>
          <dt className="text-muted">{t("there")}</dt>
          <dd>{there}</dd>
        </div>
      </dl>
    </li>
  );
}
