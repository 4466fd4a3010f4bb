"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useScope } from "#components/context/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import type { Step } from "#contract/sandbox.ts";
import type { Forecast } from "#lib/sandbox/queries.ts";
import { describeChange, reasonWords } from "#lib/sandbox/rules.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";

interface StepRowProps {
  step: Step;
  /** The buyer's name, if known. */
  name: string | undefined;
  receivers: Forecast["receivers"];
}

/** One change: its time, buyer, statuses, and the events with their endpoints. */
export function StepRow({ step, name, receivers }: StepRowProps) {
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
            {name || t("passage.subscription", { id: subscription_id.slice(0, 8) })}
          </Link>{" "}
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

// Further endpoints are only counted.
const NAMED = 2;

function receiversWords(
  t: ReturnType<typeof useTranslations<"sandbox">>,
  receivers: NonNullable<Forecast["receivers"]>[string],
): string {
  if (receivers.length === 0) return t("passage.toNobody");
  const names = receivers
    .slice(0, NAMED)
    .map(({ endpoint_url }) => withoutScheme(endpoint_url));
  const more = receivers.length - names.length;
  return t("passage.to", { names: names.join(", "), more });
}

const withoutScheme = (url: string) => url.replace(/^https?:\/\//, "");
