"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { PageLink, useScope } from "#components/context/seller-context.tsx";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import {
  FailureNotice,
  useScopedAction,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import { BackLink, FilterTabs } from "#components/list/links.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { SearchX, TriangleAlert } from "#components/ui/icons.tsx";
import { Notice, StatePanel } from "#components/ui/notice.tsx";
import { deleteImportAction, judgeImportAction } from "#lib/imports/actions.ts";
import type { ImportView } from "#lib/imports/queries.ts";
import { ROW_FILTERS, type ImportRun } from "#lib/imports/rules.ts";
import { importPath, IMPORTS, importsPath, type ImportSearch } from "#lib/imports/search.ts";
import { ImportQuestions } from "./import-questions.tsx";
import { ImportRowItem } from "./import-row.tsx";

/** The head of an import: where it came from, and how it is deleted. */
export function ImportHead({ run, isGuessed }: { run: ImportRun; isGuessed: boolean }) {
  const t = useTranslations("imports");
  return (
    <>
      <BackLink href={IMPORTS}>{t("back")}</BackLink>
      <PageHeader
        title={<span className="wrap-anywhere">{run.file_name ?? t("pasted")}</span>}
        action={<DeleteButton id={run.id} />}
      />
      {isGuessed && (
        <Notice look="warning" icon={TriangleAlert} className="mb-4">
          {t("problem.guessed")}
        </Notice>
      )}
    </>
  );
}

function DeleteButton({ id }: { id: string }) {
  const t = useTranslations("imports.check");
  const scope = useScope();
  const router = useRouter();
  return (
    <ActionButton
      title={t("deleteTitle")}
      label={t("delete")}
      look="danger"
      action={useScopedAction(deleteImportAction)}
      read={() => ({ id })}
      doneText={t("deleted")}
      onDone={(_, close) => {
        close();
        router.push(importsPath(scope));
      }}
    >
      {() => <p>{t("deleteText")}</p>}
    </ActionButton>
  );
}

interface ImportCheckProps {
  view: ImportView;
  search: ImportSearch;
  /** The progress of the started import, or before that the part that starts it. */
  children?: ReactNode;
}

/** What an import would make or has made, row by row. */
export function ImportCheck({ view, search, children }: ImportCheckProps) {
  const { run, rows, periods } = view;
  const t = useTranslations("imports.check");
  const isOpen = run.started_at === null;
  return (
    <>
      <Card aria-labelledby="summary" className="mb-5 p-4 sm:p-5">
        <Summary view={view} />
        {isOpen && <ImportQuestions view={view} />}
        {children}
      </Card>
      <Tabs {...{ view, search }} />
      {rows.length === 0 ? (
        <StatePanel icon={SearchX} title={t("emptyTitle")} text={t("emptyText")} />
      ) : (
        <ul
          aria-label={t("rows")}
          className="divide-y rounded-md border bg-surface shadow-card"
        >
          {rows.map((row) => (
            <ImportRowItem key={row.position} {...{ run, row, periods, isOpen }} />
          ))}
        </ul>
      )}
      <Steps {...{ view, search }} />
    </>
  );
}

const SKIPPED = ["has", "double", "wrong", "out"] as const;

function Summary({ view: { run, counts } }: Pick<ImportCheckProps, "view">) {
  const t = useTranslations("imports.check");
  const scope = useScope();
  const reasons = SKIPPED.filter((kind) => counts[kind] > 0).map((kind) =>
    t(`skip.${kind}`, { count: counts[kind] }),
  );
  return (
    <>
      <h2 id="summary" className="font-semibold">
        {t(run.started_at === null ? "summary" : "summaryStarted", {
          made: counts.made,
          all: counts.all,
        })}
      </h2>
      {reasons.length > 0 && (
        <p className="text-pretty text-muted">
          {t("skipped", { reasons: reasons.join(", ") })}
        </p>
      )}
      {run.started_at === null && (
        <>
          {!run.is_index_whole && (
            <Notice look="warning" icon={TriangleAlert} className="mt-3">
              {t("notWhole")}
            </Notice>
          )}
          <div className="mt-3 flex flex-wrap gap-2">
            <AgainButton id={run.id} />
            <PageLink
              href={importPath(scope, run.id, { step: "columns" })}
              className={buttonClass()}
            >
              {t("changeColumns")}
            </PageLink>
          </div>
        </>
      )}
    </>
  );
}

function AgainButton({ id }: { id: string }) {
  const t = useTranslations("imports.check");
  const router = useRouter();
  const { run, isPending, failure } = useSellerAction(judgeImportAction);
  async function judge() {
    if (await run({ id })) router.refresh();
  }
  return (
    <>
      <Button isPending={isPending} onClick={() => void judge()}>
        {t("again")}
      </Button>
      <FailureNotice failure={failure} />
    </>
  );
}

function Tabs({ view: { run, counts }, search }: Pick<ImportCheckProps, "view" | "search">) {
  const t = useTranslations("imports.check");
  const scope = useScope();
  const shown = ROW_FILTERS.filter((name) => counts[name] > 0 || name === search.show);
  const tabs = [
    { name: null, label: t("all"), count: counts.all },
    ...shown.map((name) => ({ name, label: t(`show.${name}`), count: counts[name] })),
  ];
  return (
    <FilterTabs
      label={t("tabs")}
      tabs={tabs.map(({ name, label, count }) => ({
        href: importPath(scope, run.id, { show: name }),
        label,
        count,
        isCurrent: name === search.show,
      }))}
      link={PageLink}
    />
  );
}

function Steps({ view: { run, next }, search }: Pick<ImportCheckProps, "view" | "search">) {
  const t = useTranslations("imports.check");
  const scope = useScope();
  const { show, after } = search;
  if (after === null && next === null) return null;
  return (
    <nav aria-label={t("rows")} className="mt-3 flex justify-end gap-2">
      {after !== null && (
        <PageLink href={importPath(scope, run.id, { show })} className={buttonClass()}>
          {t("first")}
        </PageLink>
      )}
      {next === null ? (
        <Button disabled>{t("next")}</Button>
      ) : (
        <PageLink
          href={importPath(scope, run.id, { show, after: Number(next) })}
          className={buttonClass()}
        >
          {t("next")}
        </PageLink>
      )}
    </nav>
  );
}
