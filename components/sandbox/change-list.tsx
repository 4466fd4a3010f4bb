"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { Button } from "#components/ui/button.tsx";
import { stepPageQuery, type Forecast, type ChangeSummary } from "#lib/sandbox/queries.ts";
import { describeReasons, STEPS_ON_PAGE } from "#lib/sandbox/rules.ts";
import { StepRow } from "./step-row.tsx";

const FIRST = 8;
// Avoids a "show more" button for a few rows.
const SLACK = 4;

interface PassageListProps {
  passage: ChangeSummary;
  buyers: Forecast["buyers"];
  receivers?: Forecast["receivers"];
  label: string;
  /** Whether further steps can be loaded. */
  isForecast?: boolean;
}

/** The changes over a time span: totals, then each step with its buyer and deliveries. */
export function ChangeList({
  passage,
  buyers,
  receivers = null,
  label,
  isForecast = false,
}: PassageListProps) {
  const t = useTranslations("sandbox");
  const format = useFormat();
  const [isWhole, setWhole] = useState(false);
  const [pages, setPages] = useState(1);
  const { count, reasons, steps } = passage;
  if (count === 0) return null;
  const shown = isWhole || steps.length <= FIRST + SLACK ? steps : steps.slice(0, FIRST);
  const isCut = shown.length < steps.length;
  const further = Math.max(0, count - steps.length - (pages - 1) * STEPS_ON_PAGE);
  return (
    <div className="mt-3">
      {reasons.length > 1 && (
        <ul className="mb-3 flex flex-wrap gap-1.5">
          {describeReasons(t, reasons).map((words) => (
            <li key={words} className="rounded-full bg-sunken px-2.5 py-0.5 text-xs">
              {words}
            </li>
          ))}
        </ul>
      )}
      <ol aria-label={label} className="divide-y border-y">
        {shown.map((step, place) => (
          <StepRow
            key={`${place} ${step.subscription_id}`}
            step={step}
            name={buyers[step.subscription_id]}
            receivers={receivers}
          />
        ))}
        {!isCut &&
          Array.from({ length: pages - 1 }, (_, index) => (
            <FurtherSteps key={index} to={passage.to} page={index + 2} receivers={receivers} />
          ))}
      </ol>
      {isCut && (
        <Button look="quiet" className="mt-2 -ml-3" onClick={() => setWhole(true)}>
          {t("passage.showMore", { count: format.count(steps.length - shown.length) })}
        </Button>
      )}
      {!isCut && further > 0 && isForecast && (
        <Button look="quiet" className="mt-2 -ml-3" onClick={() => setPages(pages + 1)}>
          {t("passage.showMore", { count: format.count(Math.min(further, STEPS_ON_PAGE)) })}
        </Button>
      )}
      {!isCut && further > 0 && (
        <p className="mt-2 text-sm text-muted">
          {t("passage.later", { count: format.count(further) })}
        </p>
      )}
    </div>
  );
}

interface FurtherStepsProps {
  to: string;
  page: number;
  receivers: Forecast["receivers"];
}

function FurtherSteps({ to, page, receivers }: FurtherStepsProps) {
  const t = useTranslations("sandbox.passage");
  const { data, error } = useQuery(stepPageQuery(useScope(), to, page));
  if (error) return <li className="py-2 text-sm text-danger">{t("notRead")}</li>;
  if (!data)
    return (
      <li aria-busy className="py-2">
        <span className="skeleton h-20" />
      </li>
    );
  return data.steps.map((step, place) => (
    <StepRow
      key={`${place} ${step.subscription_id}`}
      step={step}
      name={data.buyers[step.subscription_id]}
      receivers={receivers}
    />
  ));
}
