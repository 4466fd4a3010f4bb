"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { type GivenTable, TableForm } from "#components/forms/table-form.tsx";
import { postFile, useAction } from "#components/forms/use-action.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { DownloadLink } from "#components/ui/download-link.tsx";
import {
  MAX_SHEET_BYTES,
  MOST_SHEET_ROWS,
  REQUIRED_COLUMNS,
  SHEET_COLUMNS,
} from "#lib/products/sheet/columns.ts";
import { checkPath, sheetFilePath, type SheetCheck } from "#lib/products/sheet/queries.ts";
import { CheckResult } from "./check-result.tsx";

interface Checked {
  sheet: GivenTable;
  check: SheetCheck;
}

/** Exports the catalogue as a spreadsheet, and imports one after a check. */
export function SheetPage() {
  const t = useTranslations("sheet");
  const scope = useScope();
  const [checked, setChecked] = useState<Checked | null>(null);
  const { run, isPending, failure } = useAction(({ content }: GivenTable) =>
    postFile<SheetCheck>(checkPath(scope), content),
  );

  async function check(sheet: GivenTable) {
    const done = await run(sheet);
    if (done) setChecked({ sheet, check: done.value });
  }

  return (
    <>
      <PageHeader title={t("title")} />
      <p className="mb-4 max-w-2xl text-pretty text-muted">{t("text")}</p>
      {checked ? (
        <CheckResult
          // A new check starts without the results of the one before.
          key={checked.check.checked_at}
          check={checked.check}
          name={checked.sheet.name}
          isChecking={isPending}
          failure={failure}
          onCheckAgain={() => void check(checked.sheet)}
          onOther={() => setChecked(null)}
        />
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <Card aria-labelledby="import" className="p-4 sm:p-5">
            <CardTitle id="import">{t("import.title")}</CardTitle>
            <p className="mb-4 text-pretty text-muted">{t("import.text")}</p>
            <TableForm
              mostBytes={MAX_SHEET_BYTES}
              words={{
                file: t("import.file"),
                fileHint: t("import.fileHint", { count: MOST_SHEET_ROWS - 1 }),
                nothing: t("import.nothing"),
                heavy: t("file.heavy"),
                paste: t("import.paste"),
                pasteHint: t("import.pasteHint"),
                submit: t("import.check"),
              }}
              onSubmit={(sheet) => void check(sheet)}
              {...{ isPending, failure }}
            />
            <ColumnGuide />
          </Card>
          <Downloads />
        </div>
      )}
    </>
  );
}

function Downloads() {
  const t = useTranslations("sheet");
  const scope = useScope();
  const link = (format: "csv" | "xlsx", isTemplate: boolean, label: string) => (
    <DownloadLink href={sheetFilePath(scope, format, isTemplate)} className="w-full">
      {label}
    </DownloadLink>
  );
  return (
    <Card aria-labelledby="export" className="p-4 sm:p-5">
      <CardTitle id="export">{t("export.title")}</CardTitle>
      <p className="text-pretty text-muted">{t("export.text")}</p>
      <div className="mt-3 grid gap-2">
        {link("xlsx", false, t("export.xlsx"))}
        {link("csv", false, t("export.csv"))}
      </div>
      <p className="mt-5 text-pretty text-muted">{t("template.text")}</p>
      <div className="mt-3 grid gap-2">
        {link("xlsx", true, t("template.xlsx"))}
        {link("csv", true, t("template.csv"))}
      </div>
    </Card>
  );
}

function ColumnGuide() {
  const t = useTranslations("sheet");
  return (
    <div className="mt-5 border-t pt-4">
      <Disclosure title={t("guide.title")}>
        <p className="mt-2 text-pretty text-muted">{t("guide.rules")}</p>
        <dl className="mt-2 divide-y">
          {SHEET_COLUMNS.map((column) => (
            <div
              key={column}
              className="gap-x-4 py-2 sm:grid sm:grid-cols-[10rem_minmax(0,1fr)]"
            >
              <dt className="font-medium">
                {t(`columns.${column}`)}
                {REQUIRED_COLUMNS.includes(column) && (
                  <span className="font-normal text-muted"> ({t("guide.required")})</span>
                )}
              </dt>
              <dd className="text-pretty text-muted">{t(`guide.meanings.${column}`)}</dd>
            </div>
          ))}
        </dl>
      </Disclosure>
    </div>
  );
}
