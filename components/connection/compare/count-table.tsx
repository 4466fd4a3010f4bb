import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { PageLink, useFormat, useScope } from "#components/context/seller-context.tsx";
import { MissingValue } from "#components/ui/detail-row.tsx";
import { CircleAlert, CircleCheck } from "#components/ui/icons.tsx";
import {
  type CountLine,
  isCountDifferent,
  explainCount,
} from "#lib/search-index/compare/differences.ts";
import { STATUS_FILTERS, subscriptionsPath } from "#lib/subscriptions/search.ts";
import { cn } from "#lib/cn.ts";

export function CountTable({ counts, oneTime }: { counts: CountLine[]; oneTime: number }) {
  const t = useTranslations("compare.counts");
  const differing = counts.filter(isCountDifferent);
  const isGood = differing.length === 0;
  return (
    <section aria-labelledby="compared-counts">
      <h4 id="compared-counts" className="font-medium">
        {t("title")}
      </h4>
      <FindingLine isGood={isGood}>
        {isGood ? t("same") : t("differ", { count: differing.length })}
      </FindingLine>
      {!isGood && (
        <ul className="mt-2 list-disc space-y-1 pl-5">
          {differing.map((line) => (
            <li key={line.of + line.key}>
              <CountSentence line={line} />
            </li>
          ))}
        </ul>
      )}
      <div className="mt-3 overflow-x-auto">
        <table className="w-full min-w-72">
          <caption className="sr-only">{t("title")}</caption>
          <thead>
            <tr className="border-b text-left text-sm text-muted">
              <th scope="col" className="py-2 pr-3 font-normal">
                {t("what")}
              </th>
              {(["service", "index", "difference"] as const).map((name) => (
                <th
                  key={name}
                  scope="col"
                  className="py-2 pl-3 text-right font-normal whitespace-nowrap"
                >
                  {t(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y">
            {counts.map((line) => (
              <Line key={line.of + line.key} line={line} />
            ))}
          </tbody>
        </table>
      </div>
      <TotalExplanation counts={counts} oneTime={oneTime} />
    </section>
  );
}

function Line({ line }: { line: CountLine }) {
  const t = useTranslations("compare.counts");
  const format = useFormat();
  const { of, key, service, index } = line;
  const Icon = isCountDifferent(line) ? CircleAlert : CircleCheck;
  return (
    <tr className="tabular-nums">
      <th scope="row" className="py-2 pr-3 text-left font-normal">
        {t(`${of}.${key}` as "counter.count")}
      </th>
      <td className="py-2 pl-3 text-right whitespace-nowrap">
        {service === null ? <MissingValue /> : format.count(service)}
      </td>
      <td className="py-2 pl-3 text-right whitespace-nowrap">{format.count(index)}</td>
      <td className="py-2 pl-3 text-right whitespace-nowrap">
        {service === null ? (
          <MissingValue />
        ) : (
          <span className={isCountDifferent(line) ? "font-medium text-danger" : "text-muted"}>
            <Icon aria-hidden className="mr-1 inline size-3.5 align-[-2px]" />
            {signed(format.count(Math.abs(index - service)), index - service)}
          </span>
        )}
      </td>
    </tr>
  );
}

const signed = (text: string, difference: number) =>
  difference === 0 ? text : `${difference > 0 ? "+" : "−"}${text}`;

function CountSentence({ line }: { line: CountLine }) {
  const t = useTranslations("compare.counts");
  const scope = useScope();
  const format = useFormat();
  const { of, key, service, index } = line;
  const status = STATUS_FILTERS.find((known) => known === key);
  return (
    <>
      {t("words", {
        what: t(`${of}.${key}` as "counter.count"),
        service: format.count(service ?? 0),
        index: format.count(index),
        by: format.count(Math.abs(index - (service ?? 0))),
        side: index > (service ?? 0) ? "more" : "fewer",
      })}{" "}
      {status && (
        <PageLink
          href={subscriptionsPath(scope, { status, sort: "-created" })}
          className="text-accent underline"
        >
          {t("open")}
        </PageLink>
      )}
    </>
  );
}

/** Explains the total, such as "42 = 40 subscriptions + 2 one-time purchases." */
function TotalExplanation({ counts, oneTime }: { counts: CountLine[]; oneTime: number }) {
  const t = useTranslations("compare.counts.total");
  const format = useFormat();
  const explained = explainCount(counts, oneTime);
  if (!explained) return <p className="mt-4 text-muted">{t("unsaid")}</p>;
  const { count, total, one_time, unexplained } = explained;
  const rest = Math.abs(unexplained);
  return (
    <div className="mt-4 rounded bg-sunken px-3 py-2">
      <p className="font-medium">{t("title")}</p>
      <p>
        {t("sum", {
          rows: format.count(count),
          total: format.count(total),
          subscriptions: total,
          once: format.count(one_time),
          purchases: one_time,
        })}{" "}
        {unexplained === 0
          ? t("all")
          : t(unexplained > 0 ? "more" : "fewer", { rest: format.count(rest), count: rest })}
      </p>
    </div>
  );
}

export function FindingLine({ isGood, children }: { isGood: boolean; children: ReactNode }) {
  const Icon = isGood ? CircleCheck : CircleAlert;
  return (
    <p className={cn("mt-1 flex items-start gap-2", isGood ? "text-muted" : "text-ink")}>
      <Icon
        aria-hidden
        className={cn("mt-0.5 size-4 shrink-0", isGood ? "text-active" : "text-danger")}
      />
      <span className="min-w-0">{children}</span>
    </p>
  );
}
