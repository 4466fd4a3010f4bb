"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useState } from "react";
import { useScope } from "#components/layout/seller-context.tsx";
import { useFormat } from "#components/layout/use-format.ts";
import { Button } from "#components/ui/button.tsx";
import type { Step } from "#contract/sandbox.ts";
import type { Forecast, Passage } from "#lib/sandbox/queries.ts";
import { changeWords, describeReasons, reasonWords } from "#lib/sandbox/rules.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";

const FIRST = 8;
// Nobody wants to be shown one more.
const SLACK = 4;

interface PassageListProps {
  passage: Passage;
  buyers: Forecast["buyers"];
  label: string;
}

/** What time does on its way: the numbers, then each step with its subscription and its events. */
export function PassageList({ passage, buyers, label }: PassageListProps) {
  const t = useTranslations("sandbox");
  const format = useFormat();
  const [isWhole, setWhole] = useState(false);
  const { count, reasons, steps } = passage;
  if (count === 0) return null;
  const shown = isWhole || steps.length <= FIRST + SLACK ? steps : steps.slice(0, FIRST);
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
          <StepRow key={`${place} ${step.subscription_id}`} step={step} buyers={buyers} />
        ))}
      </ol>
      {shown.length < steps.length && (
        <Button look="quiet" className="mt-2 -ml-3" onClick={() => setWhole(true)}>
          {t("passage.showMore", { count: format.count(steps.length - shown.length) })}
        </Button>
      )}
      {shown.length === steps.length && count > steps.length && (
        <p className="mt-2 text-sm text-muted">
          {t("passage.later", { count: format.count(count - steps.length) })}
        </p>
      )}
    </div>
  );
}

function StepRow({ step, buyers }: { step: Step; buyers: Forecast["buyers"] }) {
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
          <Link
            href={subscriptionPath(scope, subscription_id)}
            prefetch={false}
            className="rounded font-medium text-accent hover:underline"
          >
            {buyers[subscription_id] ||
              t("passage.subscription", { id: subscription_id.slice(0, 8) })}
          </Link>{" "}
          <span>{changeWords(t, step)}</span>
        </p>
        <p className="text-sm text-muted">
          {reasonWords(t, reason)}
          {events.length > 0 && (
            <>
              {" · "}
              <span className="font-mono text-xs">{events.join(", ")}</span>
            </>
          )}
        </p>
      </div>
    </li>
  );
}
