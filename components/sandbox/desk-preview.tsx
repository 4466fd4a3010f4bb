"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useVisibleFailure } from "#components/list/use-visible-failure.ts";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { useScope } from "#components/shell/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { DeskPreview as Foreseen } from "#contract/sandbox-preview.ts";
import { previewQuery } from "#lib/sandbox/queries.ts";
import { statusWords } from "#lib/sandbox/rules.ts";
import { SPANS, type PreviewSearch, type Span } from "#lib/sandbox/search.ts";
import { PreviewRows } from "./preview-rows.tsx";

/** The counters and the due list as they will stand if nobody pays; moves nothing. */
export function DeskPreview({ now }: { now: string }) {
  const t = useTranslations("sandbox.desk");
  const scope = useScope();
  const format = useFormat(now);
  const [by, setBy] = useState<Span>("P1W");
  const [search, setSearch] = useState<PreviewSearch>({ list: "due", page: 1 });
  const query = useQuery({
    ...previewQuery(scope, { by }, search),
    placeholderData: keepPreviousData,
  });
  const failure = useVisibleFailure(query, null);
  const preview = query.data?.preview;
  return (
    <Card className="min-w-0 p-4 sm:p-5" aria-labelledby="desk-preview">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div>
          <CardTitle id="desk-preview">
            {preview ? t("titleOn", { date: format.date(preview.to) }) : t("title")}
          </CardTitle>
          <p className="mt-1 text-sm text-muted">{t("text")}</p>
        </div>
        <div role="group" aria-label={t("when")} className="flex flex-wrap gap-2">
          {SPANS.map((span) => (
            <Button
              key={span}
              aria-pressed={span === by}
              className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
              onClick={() => {
                setBy(span);
                setSearch({ ...search, page: 1 });
              }}
            >
              {t(`spans.${span}`)}
            </Button>
          ))}
        </div>
      </div>
      {failure ? (
        <FailurePanel
          failure={failure}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      ) : preview === undefined ? (
        <span aria-busy className="skeleton mt-4 h-64 rounded-md" />
      ) : preview === null ? (
        <p className="mt-4 text-sm text-muted">{t("none")}</p>
      ) : (
        <div aria-live="polite" aria-busy={query.isPlaceholderData} className="mt-4">
          <Counts preview={preview} />
          <PreviewRows preview={preview} now={now} search={search} onSearch={setSearch} />
        </div>
      )}
    </Card>
  );
}

function Counts({ preview }: { preview: Foreseen }) {
  const t = useTranslations("sandbox");
  const format = useFormat();
  const { statuses, money, newly_due, unpaid, cancelled, abandoned } = preview;
  return (
    <>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border bg-line sm:grid-cols-3">
        {statuses.map(({ status, now, later }) => (
          <div key={status} className="bg-surface px-3 py-2.5">
            <dt className="text-sm text-muted first-letter:uppercase">
              {statusWords(t, status)}
            </dt>
            <dd className="mt-0.5 flex items-baseline gap-2 tabular-nums">
              <span className="text-xl font-semibold">{format.count(later)}</span>
              <span className="text-sm text-muted">
                {later === now ? t("desk.same") : t("desk.today", { count: format.count(now) })}
              </span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm">
        {t("desk.happens", { due: newly_due, unpaid, cancelled, abandoned })}
      </p>
      {money.map(({ currency, owed_now, owed_then, lost }) => (
        <p key={currency} className="mt-1 text-sm tabular-nums">
          {t("desk.money", {
            owed: format.money(owed_then, currency),
            today: format.money(owed_now, currency),
            lost: format.money(lost, currency),
          })}
        </p>
      ))}
    </>
  );
}
