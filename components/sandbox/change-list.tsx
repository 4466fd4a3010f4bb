"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { PageLink, useFormat, useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { type ChangeSummary, type Forecast, stepPageQuery } from "#lib/sandbox/queries.ts";
import {
  describeChange,
  describeReasons,
  reasonWords,
  STEPS_ON_PAGE,
} from "#lib/sandbox/rules.ts";
import type { Step } from "#contract/sandbox.ts";
import type { Translate } from "#lib/i18n/message.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";

const FIRST = 8;
// Avoids a "show more" button for a few rows.
const SLACK = 4;

interface ChangeListProps {
  passage: ChangeSummary;
  buyers: Forecast["buyers"];
  receivers?: Forecast["receivers"];
  label: string;
  /** Whether further steps can be loaded. */
  isForecast?: boolean;
}

export function ChangeList({
  passage,
  buyers,
  receivers = null,
  label,
  isForecast = false,
}: ChangeListProps) {
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
        <StepRows steps={shown} {...{ buyers, receivers }} />
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

function FurtherSteps({
  to,
  page,
  receivers,
}: {
  to: string;
  page: number;
  receivers: Forecast["receivers"];
}) {
  const t = useTranslations("sandbox.passage");
  const { data, error } = useQuery(stepPageQuery(useScope(), to, page));
  if (error) return <li className="py-2 text-sm text-danger">{t("notRead")}</li>;
  if (!data)
    return (
      <li aria-busy className="py-2">
        <span className="skeleton h-20" />
      </li>
    );
  return <StepRows {...data} receivers={receivers} />;
}

function StepRows({
  steps,
  buyers,
  receivers,
}: Pick<Forecast, "steps" | "buyers" | "receivers">) {
  return steps.map((step, place) => (
    <StepRow
      key={`${place} ${step.subscription_id}`}
      step={step}
      name={buyers[step.subscription_id]}
      receivers={receivers}
    />
  ));
}

interface StepRowProps {
  step: Step;
  name: string | undefined;
  receivers: Forecast["receivers"];
}

function StepRow({ step, name, receivers }: StepRowProps) {
  const t = useTranslations("sandbox");
  const format = useFormat();
  const scope = useScope();
  const { at, subscription_id, reason, events } = step;
  return (
    <li className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[9.5rem_minmax(0,1fr)]">
      <time dateTime={at} className="text-sm text-muted tabular-nums">
        {format.dateTime(at)}
      </time>
      <div className="min-w-0">
        <p>
          <PageLink
            href={subscriptionPath(scope, subscription_id)}
            className="rounded font-medium text-accent hover:underline"
          >
            {name || t("passage.subscription", { id: subscription_id.slice(0, 8) })}
          </PageLink>{" "}
          <span>{describeChange(t, step)}</span>
        </p>
        <p className="text-sm text-muted">{reasonWords(t, reason)}</p>
        {events.map((event) => (
          <p key={event} className="text-sm wrap-anywhere text-muted">
            <span className="font-mono text-xs">{event}</span>
            {receivers !== null && ` ${receiversWords(t, receivers[event] ?? [])}`}
          </p>
        ))}
      </div>
    </li>
  );
}

// The most endpoints whose URLs are shown; others are only counted.
const NAMED = 2;

function receiversWords(
  t: Translate<"sandbox">,
  receivers: NonNullable<Forecast["receivers"]>[string],
): string {
  if (receivers.length === 0) return t("passage.toNobody");
  const names = receivers.slice(0, NAMED).map(withoutScheme);
  const more = receivers.length - names.length;
  return t("passage.to", { names: names.join(", "), more });
}

const withoutScheme = (url: string) => url.replace(/^https?:\/\//, "");
