"use client";

import { useTranslations } from "next-intl";
import { PageLink, useFormat, useScope } from "#components/context/seller-context.tsx";
import { BackLink } from "#components/list/links.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { DownloadLink } from "#components/ui/download-link.tsx";
import { ChevronRight } from "#components/ui/icons.tsx";
import { IMPORT_FIELDS, IMPORT_KEPT_DAYS, type ImportRunSummary } from "#lib/imports/rules.ts";
import { runStateOf, runTotalOf } from "#lib/imports/run-queries.ts";
import { importPath, importTemplatePath } from "#lib/imports/search.ts";
import { EXPORT_FORMATS } from "#lib/list-answer.ts";
import { ImportUpload } from "./import-upload.tsx";

/** Begins an import, and lists the earlier ones. */
export function ImportList({ runs }: { runs: ImportRunSummary[] }) {
  const t = useTranslations("imports");
  return (
    <>
      <BackLink href="/subscriptions">{t("subscriptions")}</BackLink>
      <PageHeader title={t("title")} />
      <p className="mb-4 max-w-2xl text-pretty text-muted">{t("intro")}</p>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid gap-4">
          <ImportUpload />
          <Earlier runs={runs} />
        </div>
        <Template />
      </div>
    </>
  );
}

function Template() {
  const t = useTranslations("imports");
  const scope = useScope();
  return (
    <Card aria-labelledby="template" className="p-4 sm:p-5">
      <CardTitle id="template">{t("template.title")}</CardTitle>
      <p className="text-pretty text-muted">{t("template.text")}</p>
      <div className="mt-3 grid gap-2">
        {EXPORT_FORMATS.map((format) => (
          <DownloadLink
            key={format}
            href={importTemplatePath(scope, format)}
            className="w-full"
          >
            {t(`template.${format}`)}
          </DownloadLink>
        ))}
      </div>
      <div className="mt-5 border-t pt-4">
        <Disclosure title={t("meanings.title")}>
          <dl className="mt-2 divide-y">
            {IMPORT_FIELDS.map((field) => (
              <div key={field} className="py-2">
                <dt className="font-medium">{t(`fields.${field}`)}</dt>
                <dd className="text-pretty text-muted">{t(`meanings.${field}`)}</dd>
              </div>
            ))}
          </dl>
        </Disclosure>
      </div>
    </Card>
  );
}

function Earlier({ runs }: { runs: ImportRunSummary[] }) {
  const t = useTranslations("imports.earlier");
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier" className="mb-2 font-semibold">
        {t("title")}
      </h2>
      {runs.length === 0 ? (
        <div className="rounded-md border bg-surface p-4 shadow-card sm:p-5">
          <p className="font-medium">{t("none")}</p>
          <p className="text-pretty text-muted">{t("noneText", { days: IMPORT_KEPT_DAYS })}</p>
        </div>
      ) : (
        <>
          <ul className="divide-y rounded-md border bg-surface shadow-card">
            {runs.map((run) => (
              <EarlierImport key={run.id} run={run} />
            ))}
          </ul>
          <p className="mt-3 text-xs text-muted">{t("kept", { days: IMPORT_KEPT_DAYS })}</p>
        </>
      )}
    </section>
  );
}

function EarlierImport({ run }: { run: ImportRunSummary }) {
  const t = useTranslations("imports");
  const scope = useScope();
  const format = useFormat();
  const { counts } = run;
  const counted = { ...counts, failed: counts.failed + counts.refused };
  const total = runTotalOf(run);
  const facts = [
    format.dateTime(run.created_at),
    run.created_by !== null && t("earlier.by", { name: run.created_by }),
    t("earlier.rows", { count: run.rows }),
    ...(["done", "failed", "undone"] as const).map(
      (name) => counted[name] > 0 && t(`earlier.${name}`, { count: counted[name] }),
    ),
  ];
  return (
    <li className="relative flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-canvas">
      <div className="min-w-0 flex-1">
        <PageLink
          href={importPath(scope, run.id)}
          className="font-medium wrap-anywhere after:absolute after:inset-0"
        >
          {run.file_name ?? t("pasted")}
        </PageLink>
        <span className="block text-sm text-muted">{facts.filter(Boolean).join(" · ")}</span>
      </div>
      <span className="text-right text-muted">
        {t(`earlier.states.${stateOf(run)}`, { done: total - run.rest, total })}
      </span>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-faint" />
    </li>
  );
}

function stateOf(run: ImportRunSummary) {
  if (run.started_at === null) return run.judged_at === null ? "columns" : "review";
  const state = runStateOf(run);
  return state === "busy" && run.undo_started_at !== null ? "undoing" : state;
}
